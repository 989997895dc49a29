/** The types of calls, from those of the OpenAPI document. */

import type { paths } from "./api.js";
import type { CallOptions } from "./transport.js";

export type Method = "get" | "post" | "put" | "patch" | "delete";

/** The paths that have this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: { responses: unknown } } ? P : never;
}[keyof paths];

type Operation<P extends keyof paths, M extends Method> = paths[P][M];
type Needs<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : object extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value };
type PathParameters<O> = O extends { parameters: { path: infer P } } ? P : never;
type Query<O> = O extends { parameters: { query?: infer Q } } ? (Q extends object ? Q : never) : never;
type Body<O> = O extends { requestBody: { content: infer C } }
  ? "multipart/form-data" extends keyof C
    ? FormData
    : C[keyof C]
  : never;

/** What a call takes: the values of its path, its query, its body. */
export type Input<P extends keyof paths, M extends Method> = CallOptions &
  Needs<"path", PathParameters<Operation<P, M>>> &
  Needs<"query", Query<Operation<P, M>>> &
  Needs<"body", Body<Operation<P, M>>>;

/** The input as the last argument, which may be left out where nothing is required. */
export type Arguments<I> = object extends I ? [input?: I] : [input: I];

/** What a good answer has. */
export type Answer<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { responses: infer R }
    ? { [S in keyof R]: R[S] extends { content: { "application/json": infer A } } ? A : never }[keyof R]
    : never;

/** The paths of lists that are read page by page. */
export type ListPath = {
  [P in PathOf<"get">]: Answer<P, "get"> extends { nextCursor: string | null } ? P : never;
}[PathOf<"get">];

/** One entry of a list. */
export type Entry<P extends ListPath> = {
  [K in keyof Answer<P, "get">]: Answer<P, "get">[K] extends readonly (infer E)[] ? E : never;
}[keyof Answer<P, "get">];
