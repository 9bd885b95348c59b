import type { PlannedCondition, ReadPlan } from './plan.ts'

/**
 * How many filters the SQL of a plan spells, or how often it looks into embedded resources to judge or order a row. The
 * conditions of an embedded resource stand in it once more for each condition and each order that asks for that resource,
 * and so do those inside it: a short query may mean millions.
 */
export function countSpelled(root: ReadPlan, what: 'filters' | 'embeds'): number {
  const [filter, look] = what === 'filters' ? [1, 0] : [0, 1]
  const known = new Map<ReadPlan, number>()

  /** Of one level's `where`; a level is counted once, however often it is asked for. */
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
