import type { PlannedCondition, ReadPlan } from './plan.ts'

/**
 * Estimates how many filters, or how many subqueries for conditions and orders on embedded resources, the SQL of a plan will
 * contain. The query for the total is not counted. The SQL repeats the conditions of an embedded resource, and of the resources
 * nested in it, for each condition and each order that refers to this resource. The SQL of a short query may thus contain
 * millions of filters.
 */
export function countInSql(root: ReadPlan, what: 'filters' | 'subqueries'): number {
  const [filterWeight, subqueryWeight] = what === 'filters' ? [1, 0] : [0, 1]
  const countByRead = new Map<ReadPlan, number>()

  /**
   * Returns how many filters or subqueries the `where` clause of one resource contains, the requested one or an embedded one. The
   * number is computed once per resource.
   */
  function countInWhere(read: ReadPlan): number {
    let sum = countByRead.get(read)
    if (sum !== undefined) return sum
    sum = read.where.reduce((total, condition) => total + countInCondition(condition), 0)
    for (const embed of read.embeds) if (embed.isInner) sum += subqueryWeight + countInWhere(embed.read)
    countByRead.set(read, sum)
    return sum
  }

  function countInCondition(condition: PlannedCondition): number {
    if (condition.kind === 'filter') return filterWeight
    if (condition.kind === 'related') return subqueryWeight + countInWhere(condition.embed.read)
    return condition.terms.reduce((sum, term) => sum + countInCondition(term), 0)
  }

  function countInLevel(read: ReadPlan): number {
    let sum = countInWhere(read)
    for (const { embed } of read.order) if (embed) sum += subqueryWeight + countInWhere(embed.read)
    for (const { read: embeddedRead } of read.embeds) sum += countInLevel(embeddedRead)
    return sum
  }

  return countInLevel(root)
}
