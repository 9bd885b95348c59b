import { casts } from './casts.ts'
import { moduleCollections, moduleLets, moduleStores, subscriptionsAtImport } from './module-state.ts'
import { parsedFiles } from './parsed-files.ts'
import { renderRequests } from './render-requests.ts'
import { maxLinesOfShortFile, sizes } from './sizes.ts'
import type { SourceTree } from './source-tree.ts'
import { functionsDefinedTwice } from './sql-functions.ts'
import { upwardImports } from './upward-imports.ts'

const releasedList = 'supabase/released.json'

/** A figure of one state of the code. `value` is null if it cannot be computed for that state. */
export interface Figure {
  name: string
  value: number | null
  /** The counted places, one line each. Empty if there are none, or if the figure does not count places. */
  places: readonly string[]
}

/** Computes all figures, in the order of the table. */
export function figuresOf(tree: SourceTree): Figure[] {
  const webFiles = parsedFiles(tree, 'src/web')
  const migrations = tree.files.filter((file) => /^supabase\/migrations\/.*\.sql$/.test(file))
  const releasedMigrations = migrations.filter((file) => isReleased(tree, file))
  return [
    ...sizes(tree).flatMap(({ part, files, lines, median, p90, long }) => [
      figure(`${part}: files`, files),
      figure(`${part}: lines`, lines),
      figure(`${part}: lines per file, median`, median),
      figure(`${part}: lines per file, p90`, p90),
      countedFigure(
        `${part}: files over ${maxLinesOfShortFile} lines`,
        long.map(({ file, lines: length }) => `${file} ${length}`),
      ),
    ]),
    countedFigure('src/web: variables of modules (let)', moduleLets(webFiles)),
    countedFigure('src/web: stores of modules', moduleStores(webFiles)),
    countedFigure('src/web: collections of modules', moduleCollections(webFiles)),
    countedFigure('src/web: subscriptions at import', subscriptionsAtImport(webFiles)),
    countedFigure('src/web: casts (as, !)', casts(webFiles)),
    countedFigure('src/web/data: imports that point upwards', upwardImports(webFiles)),
    countedFigure('src/web: requests while React renders', renderRequests(tree.folder)),
    countedFigure(
      'supabase/migrations: functions defined twice in one release',
      functionsDefinedTwice(releasedMigrations.map((file) => tree.read(file))),
    ),
    countedFigure(
      'supabase/migrations: functions that a later migration replaces',
      functionsDefinedTwice(migrations.map((file) => tree.read(file))),
    ),
  ]
}

/** True if a migration belongs to a release: `supabase/released.json` lists its checksum. */
function isReleased(tree: SourceTree, file: string): boolean {
  return tree.files.includes(releasedList) && tree.read(releasedList).includes(`"${file}"`)
}

function figure(name: string, value: number): Figure {
  return { name, value, places: [] }
}

function countedFigure(name: string, places: readonly string[] | null): Figure {
  return { name, value: places?.length ?? null, places: places ?? [] }
}
