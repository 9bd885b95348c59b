import type pg from 'pg'

interface Statement {
  text: string
  values: readonly unknown[]
}

/** Returns the plan of the slowest statement that PostgreSQL runs for a request, also inside functions (auto_explain). Long values are left out. */
export async function slowestPlan(
  owner: pg.Pool,
  { context, statement }: { context: Statement; statement: Statement },
): Promise<string> {
  const client = await owner.connect()
  const plans: { ms: number; text: string }[] = []
  const addPlan = ({ message = '' }: { message?: string | undefined }) => {
    const found = /^duration: ([\d.]+) ms {2}plan:\n([\s\S]*)$/.exec(message)
    if (found) plans.push({ ms: Number(found[1]), text: withoutQuery(found[2] ?? '') })
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
  const inner = plans.filter(({ text }) => /(Index|Seq|Heap|Index Only) Scan/.test(text)).sort((a, b) => b.ms - a.ms)
  return (inner[0] ?? plans[0])?.text ?? 'no plan'
}

function withoutQuery(text: string): string {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => /\(cost=/.test(line))
  return lines
    .slice(Math.max(0, start), start + 30)
    .map((line) => line.replace(/'[^']{8,}'/g, "'…'").slice(0, 160))
    .join('\n')
}
