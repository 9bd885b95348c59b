import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const timeoutMs = 15_000

/** The files in the outbox folder of a server without SMTP and SMS hook, oldest first. */
export async function readOutbox(dataDir: string, to: string): Promise<string[]> {
  const folder = join(dataDir, 'outbox')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.txt')).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.filter((text) => text.includes(`To: ${to}`))
}

/** The code in the `count`th mail or text message to this address or phone; waits up to 15 s. */
export async function sentCode(dataDir: string, phone: string, count: number): Promise<string> {
  const until = Date.now() + timeoutMs
  while (Date.now() < until) {
    const text = (await readOutbox(dataDir, phone))[count - 1]
    const code = /\b\d{6}\b/.exec(text?.split('\n').slice(1).join('\n') ?? '')?.[0]
    if (code) return code
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`no message number ${count} to ${phone}`)
}
