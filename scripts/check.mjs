/**
 * `npm run check`: runs the steps below, at most two at a time. Prints the output of each step under its title, and fails if one of them fails.
 */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** @type {[title: string, command: string, args: string[]][]} */
const steps = [
  // The longest step starts first, because the check cannot end before it.
  ['Lint with types', 'oxlint', ['--type-aware', '--deny-warnings', '.']],
  ['Types', 'tsc', ['-p', '.']],
  ['Generated row types, limits and schema.sql are fresh', 'tsx', ['scripts/generate.ts', '--check']],
  ['Format', 'biome', ['format', '.']],
  ['The import law is fresh', 'tsx', ['scripts/import-law.ts', '--check']],
  ['Import law and file names', 'biome', ['lint', '--error-on-warnings', '.']],
  ['The design system contains no product noun', 'tsx', ['scripts/product-nouns.ts']],
  ['Plain English', 'tsx', ['scripts/plain-english.ts']],
  ['No figure of the code base is over its limit', 'tsx', ['scripts/house.ts', '--check']],
  ['Every sentence of the specification has its test', 'tsx', ['scripts/spec-coverage.ts', '--check']],
]

const failedTitles = []
const waitingSteps = [...steps]
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, runWaitingSteps))

console.log(failedTitles.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failedTitles.join('; ')}.`)
process.exit(failedTitles.length === 0 ? 0 : 1)

/** Runs waiting steps one after the other. When a step has ended, prints its title and its output. */
async function runWaitingSteps() {
  for (let step = waitingSteps.shift(); step; step = waitingSteps.shift()) {
    const [title, command, args] = step
    const { output, code } = await run(`node_modules/.bin/${command}`, args)
    process.stdout.write(`\n== ${title}\n${output}`)
    if (code !== 0) failedTitles.push(title)
  }
}

/**
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<{ output: string, code: number | null }>}
 */
function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    child.on('error', (error) => resolve({ output: `${error.message}\n`, code: 1 }))
    child.on('close', (code) => resolve({ output, code }))
  })
}
