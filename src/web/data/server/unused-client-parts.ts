/**
 * Replaces parts of the official client in the browser's bundle (by vite.config.ts): file storage, edge functions, the administrator's calls,
 * locks, a polyfill and sign-in by a wallet, which the app never uses, and the live socket, which is loaded later (live-socket.ts). Saves 26 kB
 * on every first visit. The client imports all these names. Its constructors also create objects of StorageClient, RealtimeClient and
 * GoTrueAdminApi.
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

/** The client passes each new token to this class. The real socket reads the token itself. */
export class RealtimeClient {
  setAuth(): Promise<void> {
    return Promise.resolve()
  }
}

/** The calls of an administrator: only the call that ends a session. The others need the secret key, which no browser has. */
class GoTrueAdminApi {
  /** Ends the session of this token on the server. The client reads only `error` of the reply. */
  readonly signOut: (token: string, scope: string) => Promise<object>

  constructor({ url, headers, fetch }: { url: string; headers: object; fetch: typeof globalThis.fetch }) {
    this.signOut = async (token, scope) => {
      const Authorization = `Bearer ${token}`
      await fetch(`${url}/logout?scope=${scope}`, { method: 'POST', headers: { ...headers, Authorization } })
      return {}
    }
  }
}
export { GoTrueAdminApi as default }

/** Replaces a function that is never called. */
export function unused(): never {
  throw new Error('This part of the client is not in the app.')
}
export { unused as createSiweMessage, unused as fromHex, unused as getAddress, unused as toHex }

/** The client calls this function when its code is loaded. Every browser that runs the app has `globalThis`. */
export function polyfillGlobalThis(): void {}

/** The locks that an app may pass to the client. This app passes none. */
export class LockAcquireTimeoutError extends Error {}
export const internals = {}
export { LockAcquireTimeoutError as NavigatorLockAcquireTimeoutError, unused as navigatorLock, unused as processLock }
