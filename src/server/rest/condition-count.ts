import type { PlannedCondition, ReadPlan } from './plan.ts'

/**
 * Counts the filters in a plan's SQL, or the subqueries on embedded resources in its conditions and orders. The
 * conditions of an embedded resource are repeated in the SQL for each condition and each order that refers to it, and
 * so are those nested inside: a short query may produce millions.
 */
export function countRepeated(root: ReadPlan, what: 'filters' | 'embeds'): number {
  const [filter, look] = what === 'filters' ? [1, 0] : [0, 1]
  const known = new Map<ReadPlan, number>()

  /** The count of one level's `where`, computed once per level. */
  function ofWhere(read: ReadPlan): number {
    let sum = known.get(read)
    if (sum !== undefined) return sum
    sum = read.where.reduce((before, condition) => before + ofCondition(condition), 0)
    for (const embed of read.embeds) if (embed.inner) sum += look + ofWhere(embed.read)
    known.set(read, sum)
    return sum
  }

  function ofCondition(condition: PlannedCondition): number {
    if (condition.kind === 'filter') return filter
    if (condition.kind === 'related') return look + ofWhere(condition.embed.read)
    return condition.terms.reduce((sum, term) => sum + ofCondition(term), 0)
  }

  function ofLevel(read: ReadPlan): number {
    let sum = ofWhere(read)
    for (const { embed } of read.order) if (embed) sum += look + ofWhere(embed.read)
    for (const { read: below } of read.embeds) sum += ofLevel(below)
    return sum
  }

  return ofLevel(root)
}
