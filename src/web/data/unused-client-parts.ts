/**
 * Stands in the browser's bundle for the two parts of the official client that this product never calls (file storage and
 * edge functions; vite.config.ts puts it there): 8 kB less on every first visit. The client's constructor makes one of each.
 */
export class StorageClient {
  readonly isServed = false
}
export class StorageApiError extends Error {}
export class FunctionsClient {
  readonly isServed = false
}
export class FunctionsError extends Error {}
export class FunctionsFetchError extends Error {}
export class FunctionsHttpError extends Error {}
export class FunctionsRelayError extends Error {}
export const FunctionRegion = {}
