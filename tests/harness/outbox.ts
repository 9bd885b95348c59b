import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const timeoutMs = 15_000

/** Returns the mails and text messages to a recipient, oldest first, from the outbox folder of a server without SMTP and SMS hook. */
export async function readOutbox(dataDir: string, to: string): Promise<string[]> {
  const folder = join(dataDir, 'outbox')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.txt')).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.filter((text) => text.includes(`To: ${to}`))
}

/** Returns the code in the `count`th mail or text message (from 1) to this e-mail address or phone. Waits up to 15 s, then throws. */
export async function sentCode(dataDir: string, recipient: string, count: number): Promise<string> {
  const deadline = Date.now() + timeoutMs
  while (Date.now() < deadline) {
    const text = (await readOutbox(dataDir, recipient))[count - 1]
    const code = /\b\d{6}\b/.exec(text?.split('\n').slice(1).join('\n') ?? '')?.[0]
    if (code) return code
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`no message number ${count} to ${recipient}`)
}
