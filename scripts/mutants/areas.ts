/** A part of the code whose mutants stand together in the report. */
export type Area = 'auth' | 'rest' | 'realtime' | 'data' | 'sql'

/** How the report calls each area. */
export const areaTitles: Readonly<Record<Area, string>> = {
  auth: '`src/server/auth`',
  rest: '`src/server/rest`',
  realtime: '`src/server/realtime`',
  data: '`src/web/data`',
  sql: 'SQL functions',
}

const serverCode = /^src\/server\/(auth|rest|realtime)\//
const dataCode = /^src\/web\/data\/(changes|sync|query|store)\//

/** The area of a source file, or null: it is not changed. */
export function areaOf(file: string): Area | null {
  if (!file.endsWith('.ts') || /(\.test|\/test-[\w-]+)\.ts$/.test(file)) return null
  if (dataCode.test(file)) return 'data'
  return (serverCode.exec(file)?.[1] as Area | undefined) ?? null
}

/**
 * The test files that are asked about an area. For the server and its SQL: those of this code and of whole requests; those of the browser's
 * data (`data-*` and whole devices) take minutes and look elsewhere. For the browser's data: those that lie beside its code or above it,
 * and these. Never those of processes that end (`http-*`).
 */
export function isTestOf(area: Area, test: string): boolean {
  if (!/\.test\.tsx?$/.test(test) || test.startsWith('tests/api/http-')) return false
  if (area === 'data') return /^(src\/web\/|tests\/api\/(data-|query-engine|simulation|old-client))/.test(test)
  return /^(src\/server\/(auth|rest|realtime|http)|supabase\/tests|tests\/api)\/(?!data-|query-engine|simulation|old-client)/.test(
    test,
  )
}

/** True for a test that stands beside an area's code, or is called like the area. */
export function isNear(area: Area, test: string): boolean {
  const folder = area === 'data' ? 'src/web/data/' : `src/server/${area}/`
  return test.startsWith(folder) || test.startsWith(`tests/api/${area}`)
}
