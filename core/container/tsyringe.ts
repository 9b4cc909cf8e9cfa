import "reflect-metadata/lite";

/** The container library, with the metadata that it needs: the only file that imports either. */
export { container, inject, injectable, type DependencyContainer } from "tsyringe";
