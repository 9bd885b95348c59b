import { writeFileSync } from 'node:fs'
import { afterAll } from 'vitest'

const reachedBlocks = new Set<string>()
Object.assign(globalThis, { __coverage: reachedBlocks })

// vitest runs `afterAll` hooks in reverse order. This hook is registered first, so that it runs after the hooks of the test file.
afterAll(() => writeFileSync(process.env.MUTANT_COVERAGE ?? '', JSON.stringify([...reachedBlocks])))
