import { writeFileSync } from 'node:fs'
import { afterAll } from 'vitest'

const reached = new Set<string>()
Object.assign(globalThis, { __reach: reached })

// Registered first, so that it runs last.
afterAll(() => writeFileSync(process.env.MUTANT_REACH ?? '', JSON.stringify([...reached])))
