import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { TestServer } from './server.ts'

type Calls = typeof import('./device-process.ts').deviceCalls

/** Another person's device next to a test's fake browser: always online, with its own local database. */
export interface Device {
  /** Calls a function on the device; rejects with its error. */
  call<Name extends keyof Calls>(
    name: Name,
    ...args: Parameters<Calls[Name]>
  ): Promise<Awaited<ReturnType<Calls[Name]>>>
  close(): void
}

/** Starts a device that is signed out. */
export async function openDevice(server: Pick<TestServer, 'url' | 'publishableKey'>): Promise<Device> {
  const program = new URL('device-process.ts', import.meta.url)
  const child = fork(program, [server.url, server.publishableKey], { execArgv: ['--import', 'tsx'] })
  await once(child, 'message')
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  child.on('message', ({ number, value, error }: { number: number; value?: unknown; error?: string }) => {
    const asked = waiting.get(number)
    waiting.delete(number)
    if (error === undefined) asked?.resolve(value)
    else asked?.reject(new Error(error))
  })
  return { call: caller(child, waiting) as Device['call'], close: () => child.kill() }
}

function caller(
  child: ChildProcess,
  waiting: Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>,
) {
  let last = 0
  return (name: string, ...args: unknown[]): Promise<unknown> => {
    last += 1
    const number = last
    return new Promise((resolve, reject) => {
      waiting.set(number, { resolve, reject })
      child.send({ number, name, args })
    })
  }
}
