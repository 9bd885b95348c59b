/** A part of the code. The report has one line per area. */
export type Area = 'auth' | 'rest' | 'realtime' | 'data' | 'sql'

/** Titles of the areas in the report. */
export const areaTitles: Readonly<Record<Area, string>> = {
  auth: '`src/server/auth`',
  rest: '`src/server/rest`',
  realtime: '`src/server/realtime`',
  data: '`src/web/data`',
  sql: 'SQL functions',
}

const serverCode = /^src\/server\/(auth|rest|realtime)\//
const dataCode = /^src\/web\/data\/(changes|sync|query|store)\//

/** Returns the area of a source file. Null if mutants never change it. */
export function areaOf(file: string): Area | null {
  if (!file.endsWith('.ts') || /(\.test|\/test-[\w-]+)\.ts$/.test(file)) return null
  if (dataCode.test(file)) return 'data'
  return (serverCode.exec(file)?.[1] as Area | undefined) ?? null
}

/**
 * True for a test file that is run for mutants of an area. For the server and its SQL: tests of this code and of whole requests, but no
 * tests of the browser's data (`data-*` and whole devices), which take minutes. For the browser's data: the tests of the browser's data and
 * all tests in src/web. Tests that stop server processes (`http-*`) are never run.
 */
export function isTestOf(area: Area, test: string): boolean {
  if (!/\.test\.tsx?$/.test(test) || test.startsWith('tests/api/http-')) return false
  if (area === 'data') return /^(src\/web\/|tests\/api\/(data-|query-engine|simulation|old-client))/.test(test)
  return /^(src\/server\/(auth|rest|realtime|http)|supabase\/tests|tests\/api)\/(?!data-|query-engine|simulation|old-client)/.test(
    test,
  )
}

/** True for a test file that is beside the area's code, or is named after the area. */
export function isNearArea(area: Area, test: string): boolean {
  const folder = area === 'data' ? 'src/web/data/' : `src/server/${area}/`
  return test.startsWith(folder) || test.startsWith(`tests/api/${area}`)
}
