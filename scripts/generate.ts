/**
 * `npm run generate`: runs the migrations on an empty database, and writes four files from the result: src/shared/rows.ts (row types of the
 * product's tables, as JSON), src/shared/limits.ts (maximum lengths of texts), src/shared/synced-tables.ts (the tables that devices keep)
 * and supabase/schema.sql (the whole schema). `--check` changes no file (but creates a missing one, empty), and fails if a file is out of date.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import kanel, { type Output } from 'kanel'
import type pg from 'pg'
import { readMigrations } from '#server/db/migration-files.ts'
import { productMigrations } from '#server/db/project-root.ts'
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts'
import { schemaFile } from './generate/schema-file.ts'
import { syncedTables } from './generate/synced-tables.ts'
import { textLimits } from './generate/text-limits.ts'

const { makePgTsGenerator, processDatabase } = kanel

const rowsHeading =
  '/** Written by `npm run generate` from supabase/migrations: the types of rows, as JSON contains them. Do not edit. */'

/** The TypeScript type of each PostgreSQL type in JSON. Timestamps are ISO text, dates YYYY-MM-DD. */
const jsonTypes: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  timestamptz: 'string',
  date: 'string',
  bool: 'boolean',
  int4: 'number',
  int8: 'number',
  numeric: 'number',
}

/** TypeScript types of JSON columns, by 'table.column'. */
const jsonColumns: Record<string, string> = {
  'companies.custom': 'Record<string, unknown>',
  'contacts.custom': 'Record<string, unknown>',
  'deals.custom': 'Record<string, unknown>',
  'custom_fields.options': '{ id: string; label: string; retired?: boolean }[]',
}

const database = await testDatabase()
const generatedFiles: Record<string, string> = {
  'src/shared/rows.ts': await rowTypesFile(database),
  'src/shared/limits.ts': formatted(await textLimits(database.owner)),
  'src/shared/synced-tables.ts': formatted(await syncedTables(database.owner, rowName)),
  'supabase/schema.sql': await schemaFile(database.owner, readMigrations(productMigrations())),
}
await database.drop()
for (const [target, text] of Object.entries(generatedFiles)) {
  if (!process.argv.includes('--check')) {
    writeFileSync(target, text)
  } else if (readFileSync(target, { encoding: 'utf8', flag: 'a+' }) !== text) {
    console.error(`${target} is out of date: run \`npm run generate\`.`)
    process.exitCode = 1
  }
}
// Exits explicitly, because kanel leaves a connection open.
process.exit()

async function rowTypesFile(database: TestDatabase): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'banyan-rows-'))
  try {
    const allowedValues = await readAllowedValues(database.owner)
    const columnsLeftOut = await readColumnsLeftOut(database.owner)
    await withoutLogs(() =>
      processDatabase({
        connection: database.url,
        schemaNames: ['public', 'auth'],
        outputPath: folder,
        typescriptConfig: { enumStyle: 'literal-union', tsModuleFormat: 'explicit-esm' },
        generators: [rowTypeGenerator(allowedValues, columnsLeftOut, join(folder, 'rows'))],
        // Keeps only the types of rows. Types for inserts and updates would mislead: grants decide what may be inserted or updated.
        preRenderHooks: [
          (output: Output) =>
            Object.fromEntries(
              Object.entries(output).map(([path, file]) => [
                path,
                file.fileType === 'typescript' ? { ...file, declarations: rowsOnly(file.declarations) } : file,
              ]),
            ),
        ],
      }),
    )
    const rows = readFileSync(join(folder, 'rows.mts'), 'utf8').replaceAll(/\n\n(?= )/g, '\n')
    return formatted(`${rowsHeading}\n\n${rows}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function rowTypeGenerator(
  allowedValues: ReadonlyMap<string, string>,
  columnsLeftOut: ReadonlySet<string>,
  path: string,
) {
  return makePgTsGenerator({
    filter: (type) => type.kind === 'table' && type.schemaName === 'public',
    getMetadata: (details, generateFor) => ({
      // The underscore marks kanel's types for inserts and updates, which `rowsOnly` removes.
      name: generateFor === 'selector' ? rowName(details.name) : `_${generateFor}_${details.name}`,
      comment: undefined,
      path,
      exportAs: 'named',
    }),
    getPropertyMetadata: (property, details, _generateFor, builtin) => {
      const type =
        jsonColumns[`${details.name}.${property.name}`] ?? jsonTypes[property.type.fullName.replace('pg_catalog.', '')]
      if (type === undefined)
        throw new Error(`${details.name}.${property.name}: jsonTypes has no entry for ${property.type.fullName}.`)
      const isLeftOut = columnsLeftOut.has(`${details.name}.${property.name}`)
      return {
        name: builtin.name,
        comment: isLeftOut ? ['`pull` leaves it out.'] : undefined,
        typeOverride: allowedValues.get(`${details.name}.${property.name}`) ?? type,
        optionalOverride: isLeftOut,
      }
    },
  })
}

/** Returns the allowed values of text columns as a TypeScript type, by 'table.column', from checks such as `role in ('member', 'admin')`. */
async function readAllowedValues(owner: pg.Pool): Promise<Map<string, string>> {
  const { rows } = await owner.query<{ column: string; definition: string }>(`
    select c.conrelid::regclass || '.' || a.attname as column, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'c' and cardinality(c.conkey) = 1 and c.connamespace = 'public'::regnamespace`)
  const allowedValues = new Map<string, string>()
  for (const { column, definition } of rows) {
    const valueList = /^CHECK \(\("?\w+"? = ANY \(ARRAY\[(.*)\]\)\)\)$/.exec(definition)?.[1]
    if (valueList)
      allowedValues.set(column, [...valueList.matchAll(/'(\w+)'::text/g)].map(([, value]) => `'${value}'`).join(' | '))
  }
  return allowedValues
}

/** Keeps only the interfaces of rows, without kanel's types for inserts and updates, and sorts them by name. */
function rowsOnly<Declaration extends { declarationType: string; name?: string }>(declarations: Declaration[]) {
  return declarations
    .filter(({ declarationType, name }) => declarationType === 'interface' && !name?.startsWith('_'))
    .toSorted((a, b) => (a.name ?? '').localeCompare(b.name ?? ''))
}

/** Returns the columns that `pull` leaves out, as 'table.column'. */
async function readColumnsLeftOut(owner: pg.Pool): Promise<Set<string>> {
  const { rows } = await owner.query<{ column: string }>(`
    select name || '.' || unnest(kept_back) as column from private.synced_tables`)
  return new Set(rows.map(({ column }) => column))
}

function rowName(table: string): string {
  const singular = table.endsWith('ies') ? `${table.slice(0, -3)}y` : table.replace(/s$/, '')
  return singular.replace(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase())
}

async function withoutLogs(run: () => Promise<void>): Promise<void> {
  const { log, info } = console
  console.log = console.info = () => {}
  try {
    await run()
  } finally {
    console.log = log
    console.info = info
  }
}

function formatted(text: string): string {
  const command = ['--no-install', 'biome', 'format', '--stdin-file-path=src/shared/generated.ts']
  const { stdout, stderr, status } = spawnSync('npx', command, { input: text, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout
}
