/** The clock and the timers of a device. */
export interface Clock {
  /** The time of the machine's clock, like `Date.now()` (ms since 1970). It jumps if somebody sets the clock. */
  now(): number
  /** Milliseconds since an arbitrary moment. Never jumps. */
  elapsed(): number
  setTimeout(run: () => void, milliseconds: number): Timer
  clearTimeout(timer: Timer | undefined): void
  setInterval(run: () => void, milliseconds: number): Timer
  clearInterval(timer: Timer | undefined): void
}

export type Timer = ReturnType<typeof globalThis.setTimeout>

/** Locks that all tabs of the browser share. `request` runs `work` while no other call, in any tab, holds the lock with this name. */
export interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>
}

/** Carries messages between the tabs of a browser. */
export interface Channel {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  close(): void
}

/** The URL and the public key of the backend. */
export interface Backend {
  url: string
  publishableKey: string
}

/** The parts of the browser that a device uses. Tests replace them. */
export interface Surroundings {
  readonly fetch: typeof globalThis.fetch
  readonly indexedDB: IDBFactory
  /** Missing without a secure context. */
  readonly locks: Locks | undefined
  /** Opens the channel between the tabs. Returns undefined if the browser has none, or forbids it. */
  readonly openChannel: (() => Channel | undefined) | undefined
  /** Missing in old web views. A device without it gets no live changes and only pulls. */
  readonly WebSocket: typeof globalThis.WebSocket | undefined
  readonly clock: Clock
  /** The storage of this tab alone. Missing if the browser forbids it. */
  readonly tabStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'> | undefined
  /** Returns the backend. Throws an error with a sentence that says what to do if no backend is configured. */
  readonly readBackend: () => Backend
}
