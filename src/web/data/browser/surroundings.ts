/** The clock and the timers of a device. */
export interface Clock {
  /** Milliseconds since the epoch by the clock of the machine, which a person may change. */
  now(): number
  /** Milliseconds since an arbitrary moment. Never jumps. */
  elapsed(): number
  setTimeout(run: () => void, milliseconds: number): Timer
  clearTimeout(timer: Timer | undefined): void
  setInterval(run: () => void, milliseconds: number): Timer
  clearInterval(timer: Timer | undefined): void
}

export type Timer = ReturnType<typeof globalThis.setTimeout>

/** Runs `work` while no other tab holds the lock of that name. */
export interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>
}

/** Carries messages between the tabs of a browser. */
export interface Channel {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  close(): void
}

/** Where the backend is, and with which public key. */
export interface Backend {
  url: string
  publishableKey: string
}

/** What a device uses from outside of the app. Tests replace the browser's own. */
export interface Surroundings {
  readonly fetch: typeof globalThis.fetch
  readonly indexedDB: IDBFactory
  /** Missing without a secure context. */
  readonly locks: Locks | undefined
  /** Missing in old web views. */
  readonly openChannel: (() => Channel) | undefined
  /** Missing in old web views: there the clock alone asks for changes. */
  readonly WebSocket: typeof globalThis.WebSocket | undefined
  readonly clock: Clock
  /** Values of this tab alone; missing where the browser forbids them. */
  readonly tabStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'> | undefined
  /** Throws with a sentence that says what to do where no backend is configured. */
  readonly readBackend: () => Backend
}
