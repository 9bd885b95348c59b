/**
 * `npm run house`: prints figures of the code base as a table. `-- --before <commit>` also prints the figures of that commit.
 * `-- --verbose` lists every counted place. `--check` prints only figures over their limit (scripts/house/limits.ts), and fails if there are any.
 * The comments in scripts/house say what each figure counts.
 */
import { parseArgs } from 'node:util'
import { type Figure, figuresOf } from './house/figures.ts'
import { limitFaults, limits } from './house/limits.ts'
import { committedTree, type SourceTree, workingTree } from './house/source-tree.ts'

const { values: options } = parseArgs({
  options: {
    before: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
})

const root = process.cwd()
const currentFigures = measureAndRemove(workingTree(root))
if (options.check) {
  const faults = limitFaults(currentFigures)
  for (const line of faults) console.error(line)
  if (faults.length === 0) console.log('Every figure of the code base is within its limit.')
  process.exitCode = faults.length === 0 ? 0 : 1
} else {
  const earlierFigures = options.before === undefined ? null : measureAndRemove(committedTree(root, options.before))
  console.log(tableLines(currentFigures, earlierFigures).join('\n'))
}

/** Returns the figures of a tree, and removes the tree if it is a temporary copy. */
function measureAndRemove(tree: SourceTree): Figure[] {
  try {
    return figuresOf(tree)
  } finally {
    tree.remove()
  }
}

function tableLines(figures: readonly Figure[], earlierFigures: readonly Figure[] | null): string[] {
  const width = Math.max(...figures.map(({ name }) => name.length))
  const row = (name: string, cells: readonly string[]) =>
    `${name.padEnd(width)}${cells.map((cell) => cell.padStart(10)).join('')}`
  return [
    row('', [...(earlierFigures ? [options.before?.slice(0, 9) ?? ''] : []), 'now', 'limit']),
    ...figures.flatMap(({ name, value, places }, index) => [
      row(name, [
        ...(earlierFigures ? [cellText(earlierFigures[index]?.value)] : []),
        cellText(value),
        String(limits[name] ?? ''),
      ]),
      ...(options.verbose ? places.map((place) => `    ${place}`) : []),
    ]),
  ]
}

function cellText(value: number | null | undefined): string {
  return value === null || value === undefined ? 'n/a' : String(value)
}
