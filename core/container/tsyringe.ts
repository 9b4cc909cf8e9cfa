import "reflect-metadata/lite";

/** The container library, with the metadata that it needs: apart, so that no declaration of a door names either. */
export { container, inject, injectable, type DependencyContainer } from "tsyringe";
