/** The API of Brightlist from Node 20 or later and from browsers, with nothing but fetch. */

export type { components, paths } from "./api.js";
export * from "./client.js";
export * from "./errors.js";
export type { Answer, Entry, Input, ListPath, PathOf } from "./operations.js";
export type { CallOptions, Options } from "./transport.js";
export type { Photo, Photos, UploadedFiles, UploadOptions } from "./uploads.js";
export * from "./webhooks.js";
