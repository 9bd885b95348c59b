import type { Database } from '#server/db/database.ts'

export interface TestServerOptions {
  /** The product's migrations too (default), or only what the server itself brings. */
  product?: boolean
  /** Further or other environment variables, as an operator would set them. */
  env?: Record<string, string>
  /** A built client to serve; default: none. */
  webRoot?: string
  /** A database that is there already, instead of a new one. */
  databaseUrl?: string
  /** A data directory that is there already, instead of a new one. */
  dataDir?: string
  /** 'memory' (default): in this process. 'process': a child process, which `kill()` ends as the power cut would. */
  run?: 'memory' | 'process'
}

export interface TestServer {
  url: string
  publishableKey: string
  secretKey: string
  /** Null where the server runs in a process of its own. */
  database: Database | null
  databaseUrl: string
  dataDir: string
  stop(): Promise<void>
  /** SIGKILL for a process; for one in memory the sockets are cut without an answer. */
  kill(): Promise<void>
}

export declare function startTestServer(options?: TestServerOptions): Promise<TestServer>
