import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { readPidFile } from '#server/db/postmaster.ts'
import type { LoadOrder, LoadReport } from './load.ts'

export interface BenchRequest {
  method: string
  /** The path after /rest/v1/. */
  target: string
  headers: Record<string, string>
  body: string
}

/** Runs the load generator in a separate process. */
export function runLoad(url: string, order: Omit<LoadOrder, 'host' | 'port'>): Promise<LoadReport> {
  const { hostname, port } = new URL(url)
  const script = join(import.meta.dirname, 'load.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify({ ...order, host: hostname, port: Number(port) }))
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  return new Promise((resolve, reject) => {
    child.on('close', (code) =>
      code === 0
        ? resolve(JSON.parse(output) as LoadReport)
        : reject(new Error(`the load generator ended with ${code}`)),
    )
  })
}

/** Returns the text of an HTTP request. */
export function requestText(request: BenchRequest): string {
  const headers = { host: 'bench', ...request.headers, 'content-length': String(Buffer.byteLength(request.body)) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${request.method} /rest/v1/${request.target} HTTP/1.1\r\n${lines.join('')}\r\n${request.body}`
}

/** Returns the URL of the embedded database of a running server, for the owner role. */
export function embeddedDatabaseUrl(dataDir: string): string {
  const socket = readPidFile(join(dataDir, 'postgres'))?.socketDirectory ?? ''
  return `postgres://postgres@localhost/banyan?host=${encodeURIComponent(socket)}`
}

/** Returns the middle one of the sorted values; the upper one if two are in the middle; 0 if there are none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
