import { writeFileSync } from 'node:fs'
import { afterAll } from 'vitest'

const reached = new Set<string>()
Object.assign(globalThis, { __reach: reached })

// Registered before all others: it runs after them.
afterAll(() => writeFileSync(process.env.MUTANT_REACH ?? '', JSON.stringify([...reached])))
