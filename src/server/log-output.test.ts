import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { projectRoot } from '#server/db/project-root.ts'

/** Starts a process that runs `script` with a log. Its stdout is a pipe or the given file. */
function startLogging(script: string, stdout: 'pipe' | number) {
  const code = `import { createLog } from '#server/log.ts'\nconst { log, flush } = createLog('info')\nprocess.on('exit', flush)\n${script}`
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
    cwd: projectRoot(),
    stdio: ['ignore', stdout, 'pipe'],
    timeout: 20_000,
    killSignal: 'SIGKILL',
  })
}

it('a process whose log is on a full disk keeps running, and can exit', async () => {
  const fullDisk = openSync('/dev/full', 'w')
  const child = startLogging(
    `log.info('one')
     log.fatal('two')
     for (let n = 0; n < 100; n++) log.info({ n, text: 'x'.repeat(200) }, 'many')
     setTimeout(() => { console.error('still here'); log.info('last'); process.exit(7) }, 1200)`,
    fullDisk,
  )
  closeSync(fullDisk)
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const [code] = await once(child, 'exit')
  expect({ code, stderr }).toEqual({ code: 7, stderr: 'still here\n' })
})

it('a log pipe without a reader neither ends the process nor blocks it', async () => {
  const child = startLogging(
    `const timer = setInterval(() => log.info('a line'), 100)
     setTimeout(() => { clearInterval(timer); log.fatal('two'); process.exit(7) }, 2000)`,
    'pipe',
  )
  child.stdout?.destroy()
  const [code] = await once(child, 'exit')
  expect(code).toBe(7)
})

it('a log reader that pauses loses lines and gets their number, and memory stays limited', async () => {
  const child = startLogging(
    `const text = 'x'.repeat(1000)
     const before = process.memoryUsage().rss
     for (let n = 0; n < 100_000; n++) { log.info({ n, text }); if (n % 100 === 0) await new Promise(setImmediate) }
     console.error((process.memoryUsage().rss - before) / 2 ** 20)
     setTimeout(() => log.info('after it'), 3000)
     setTimeout(() => process.exit(0), 5000)`,
    'pipe',
  )
  let grownMb = ''
  child.stderr?.on('data', (chunk: Buffer) => (grownMb += chunk.toString()))
  await once(child.stderr as NonNullable<typeof child.stderr>, 'data')
  await sleep(500)
  let logText = ''
  child.stdout?.on('data', (chunk: Buffer) => (logText += chunk.toString()))
  await once(child, 'close')
  const lines = logText.trimEnd().split('\n')
  const parsed = lines.map((line) => JSON.parse(line) as { n?: number; lost?: number; msg?: string })
  const keptCount = parsed.filter(({ n }) => n !== undefined).length
  const lostCount = parsed.reduce((sum, entry) => sum + (entry.lost ?? 0), 0)
  expect(parsed.find((entry) => entry.lost !== undefined)?.msg).toBe('lines of the log could not be written')
  expect(keptCount + lostCount).toBe(100_000)
  expect(parsed.at(-1)?.msg).toBe('after it')
  // All lines together are 105 MB.
  expect(Number(grownMb)).toBeLessThan(60)
})
