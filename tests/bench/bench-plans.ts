import type pg from 'pg'

interface Statement {
  text: string
  values: readonly unknown[]
}

/**
 * Runs a request in a transaction that is rolled back. Returns the plan of its slowest statement that scans a table, also inside functions
 * (auto_explain). `context`: the statement that sets the caller. At most 30 lines; quoted texts of 8 or more characters become '…'.
 */
export async function slowestPlan(
  owner: pg.Pool,
  { context, statement }: { context: Statement; statement: Statement },
): Promise<string> {
  const client = await owner.connect()
  const plans: { ms: number; text: string }[] = []
  const addPlan = ({ message = '' }: { message?: string | undefined }) => {
    const planMatch = /^duration: ([\d.]+) ms {2}plan:\n([\s\S]*)$/.exec(message)
    if (planMatch) plans.push({ ms: Number(planMatch[1]), text: shortPlan(planMatch[2] ?? '') })
  }
  client.on('notice', addPlan)
  try {
    await client.query(`load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on;
      set auto_explain.log_analyze = on; set auto_explain.log_timing = off; set auto_explain.log_level = notice; begin`)
    await client.query(context.text, [...context.values])
    await client.query(statement.text, [...statement.values])
    await client.query('rollback')
  } finally {
    client.off('notice', addPlan)
    client.release(true)
  }
  const scanPlans = plans
    .filter(({ text }) => /(Index|Seq|Heap|Index Only) Scan/.test(text))
    .sort((a, b) => b.ms - a.ms)
  return (scanPlans[0] ?? plans[0])?.text ?? 'no plan'
}

function shortPlan(text: string): string {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => /\(cost=/.test(line))
  return lines
    .slice(Math.max(0, start), start + 30)
    .map((line) => line.replace(/'[^']{8,}'/g, "'…'").slice(0, 160))
    .join('\n')
}
