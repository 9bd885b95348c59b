import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { refusal } from '#server/http/errors.ts'

/** Sends a text message to a phone. Throws sms_send_failed if it cannot be sent. */
export type SendSms = (message: { phone: string; message: string }) => Promise<void>

/** Timeout of the operator's hook that sends text messages. It is short, because a person waits for the response. */
const timeoutMs = 8000

/**
 * Creates the function that sends text messages. It sends POST {phone, message} to `hookUrl`. Without a hook, it writes a
 * text file into `folder` (`To: <phone>`, an empty line, the message).
 */
export function createSmsSender({
  hookUrl,
  folder,
  log,
}: {
  hookUrl: string | undefined
  folder: string
  log: Logger
}): SendSms {
  async function postToHook(url: string, message: { phone: string; message: string }): Promise<void> {
    const { status } = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(message),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (status < 200 || status > 299) throw new Error(`SMS_HOOK_URL responded with status ${status}`)
  }

  async function writeToFolder({ phone, message }: { phone: string; message: string }): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const timestamp = new Date().toISOString().replaceAll(/[-:]/g, '').replace(/\..*/, '')
    const file = join(folder, `${timestamp}-${randomUUID()}-sms.txt`)
    await writeFile(file, `To: ${phone}\n\n${message}\n`, { mode: 0o600 })
    log.info({ file }, 'SMS_HOOK_URL is not set: a text message was written to the outbox folder')
  }

  return async (message) => {
    try {
      await (hookUrl === undefined ? writeToFolder(message) : postToHook(hookUrl, message))
    } catch (error) {
      log.error({ reason: (error as Error).message }, 'a text message with a code could not be sent')
      throw refusal('sms_send_failed')
    }
  }
}
