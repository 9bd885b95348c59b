import type { BenchBrand } from './bench-brand.ts'
import { growthQuestions } from './growth-questions.ts'
import { type Operation, operations } from './operations.ts'

/** What the app asks of a large brand: the names in `growth-questions.ts`, by what they are called in the table. */
const reads: Readonly<Record<string, string>> = {
  'page of a filter': 'contacts of a busy owner, by name',
  'search by name': 'contacts: anna sch',
  'search, a letter': 'contacts: l',
  board: 'board',
  dashboard: 'overview',
}

/** The requests of `npm run bench` that pgbench can repeat: writes, a list, and the questions of the app. */
export function benchRequests(data: BenchBrand): Omit<Operation, 'aim'>[] {
  const questions = growthQuestions(data.brand)
  const asked = Object.entries(reads).map(([name, question]) => {
    const found = questions.find((one) => one.name === question)
    if (!found) throw new Error(`There is no question '${question}'.`)
    const [p_brand_id, queries] = found.values
    const body = JSON.stringify({ p_brand_id, p_queries: JSON.parse(String(queries)) as unknown })
    const headers = { 'content-type': 'application/json' }
    return { name, status: 200, requests: [[{ method: 'POST', target: 'rpc/read_queries', headers, body }]] }
  })
  return [...operations(data), ...asked]
}
