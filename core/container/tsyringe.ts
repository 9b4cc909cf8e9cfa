import "reflect-metadata/lite";

/** The container library and the metadata that it needs: in a separate file, so that no declaration of a door names them. */
export { container, inject, injectable, type DependencyContainer } from "tsyringe";
