import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { renderRequests } from './render-requests.ts'

/** Files of every test project: a function that sends requests, a view as in src/web, and a hook that shows a view. */
const baseFiles = {
  'data/server/ask-server.ts': `export async function askServer(name: string): Promise<string> { return name }\n`,
  'data/query/view.ts': `export interface View<T> { read: () => T; subscribe: (listener: () => void) => () => void }
export function view<T>(compute: () => T): View<T> {
  const read = (): T => compute()
  return { read, subscribe: () => () => {} }
}
`,
  'data/query/use-view.ts': `import { useMemo, useSyncExternalStore } from 'react'
import type { View } from './view.ts'
export function useView<T>(make: (key: string) => View<T>, key: string, empty: T): T {
  const shown = useMemo(() => (key ? make(key) : null), [make, key])
  const read = shown ? shown.read : () => empty
  return useSyncExternalStore(shown ? shown.subscribe : () => () => {}, read, read)
}
`,
}

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

describe('requests while React renders', () => {
  it('requests while React renders are found in components, hooks and the functions that they call, also under other names', () => {
    const places = requestsIn({
      'lib/ask.ts': `import { askServer } from '#web/data/server/ask-server.ts'
export const ask = (name: string) => { void askServer(name) }
`,
      'features/a.tsx': `import { memo, useMemo } from 'react'
import { ask as want } from '#web/lib/ask.ts'
export function Direct() { void fetch('/x'); return null }
export const Wrapped = memo(function Wrapped() { want('a'); return <Direct /> })
export function useTwo() { return useMemo(() => [1].map(() => want('b')), []) }
export function Later() { setTimeout(() => want('c'), 1); useTwo(); return null }
export function ask() { want('not rendered') }
`,
    })
    expect(places).toEqual([
      'src/web/features/a.tsx:3 Direct > fetch',
      'src/web/features/a.tsx:4 Wrapped > ask > askServer',
      'src/web/features/a.tsx:5 useTwo > in useTwo > ask > askServer',
      'src/web/features/a.tsx:6 Later > in Later > ask > askServer',
    ])
  })

  it('a handler does not count as called if the component only checks whether it is there; a child function after && counts as called', () => {
    const places = requestsIn({
      'lib/ask.ts': `import { askServer } from '#web/data/server/ask-server.ts'
export const ask = (name: string) => { void askServer(name); return null }
`,
      'features/a.tsx': `import { ask } from '#web/lib/ask.ts'
function Picker({ onMake, words }: { onMake?: () => null; words: string }) {
  const mayAdd = onMake !== undefined && words !== ''
  const problem = onMake && words.includes(',') ? 'No comma' : null
  return <b onClick={onMake}>{mayAdd && <i>{problem ?? words}</i>}</b>
}
function Frame({ children }: { children: () => null }) { return children() }
export function Quiet() { return <Picker words="a" onMake={() => ask('made')} /> }
export function Asking({ isOn }: { isOn: boolean }) { return <Frame>{isOn && (() => ask('shown'))}</Frame> }
`,
    })
    expect(places).toEqual(['src/web/features/a.tsx:9 Asking > in Asking > ask > askServer'])
  })

  it('requests while React renders are found in methods, constructors and implementations of interfaces, also after an await', () => {
    const places = requestsIn({
      'data/query/list.ts': `import { askServer } from '#web/data/server/ask-server.ts'
export interface Options { fetchPage: (page: number) => Promise<string> }
export class List {
  constructor(private readonly options: Options) {}
  want(page: number): void { void this.fetch(page) }
  private async fetch(page: number): Promise<void> { await null; await this.options.fetchPage(page) }
}
export class Eager { readonly answer = askServer('eager') }
export const options: Options = { fetchPage: (page) => askServer(String(page)) }
export const quiet: { fetchRow: (page: number) => Promise<string> } = { fetchRow: async () => '' }
`,
      'features/a.tsx': `import { Eager, List, options, quiet } from '#web/data/query/list.ts'
const list = new List(options)
export function Wanting() { list.want(0); return null }
export function Making() { return <b>{String(new Eager())}</b> }
export function Quiet() { void quiet.fetchRow(1); return null }
`,
    })
    expect(places).toEqual([
      'src/web/features/a.tsx:3 Wanting > want > fetch > fetchPage > askServer',
      'src/web/features/a.tsx:4 Making > Eager > askServer',
    ])
  })

  it("requests while React renders are found in a view's `compute`, in the read functions of stores and in child functions", () => {
    const places = requestsIn({
      'data/deals.ts': `import { askServer } from '#web/data/server/ask-server.ts'
import { useView } from '#web/data/query/use-view.ts'
import { type View, view } from '#web/data/query/view.ts'
function dealsView(key: string): View<string> {
  return view(() => { void askServer(key); return key })
}
function ownView(key: string): View<string> {
  return { read: () => { void askServer(key); return key }, subscribe: () => { void askServer('not rendered'); return () => {} } }
}
export const useDeals = () => useView(dealsView, 'a', '')
export const useOwn = () => useView(ownView, 'a', '')
`,
      'features/a.tsx': `import type { ReactNode } from 'react'
import { askServer } from '#web/data/server/ask-server.ts'
function Rows({ children }: { children: (index: number) => ReactNode }) { return <ul>{children(0)}</ul> }
export function Table() { return <Rows>{(index) => { void askServer('row'); return <li>{index}</li> }}</Rows> }
`,
    })
    expect(places).toEqual([
      'src/web/data/deals.ts:5 in dealsView > askServer',
      'src/web/data/deals.ts:8 read > askServer',
      'src/web/features/a.tsx:4 Table > in Table > askServer',
    ])
  })

  it('requests in effects, event handlers, subscriptions and functions that are created but not called do not count', () => {
    const places = requestsIn({
      'features/a.tsx': `import { useCallback, useEffect } from 'react'
import { askServer } from '#web/data/server/ask-server.ts'
export function Quiet({ onSave }: { onSave: () => void }) {
  const save = useCallback(() => void askServer('save'), [])
  useEffect(() => { void askServer('effect') }, [])
  useEffect(save, [save])
  return <button onClick={() => { save(); onSave() }} onBlur={save}>Save</button>
}
export function Around() { return <Quiet onSave={() => void askServer('saved')} /> }
`,
    })
    expect(places).toEqual([])
  })

  it('the result is null if none of the functions that are known to send requests exists', () => {
    expect(requestsIn({ 'data/server/ask-server.ts': `export const call = () => fetch('/')\n` })).toBeNull()
  })
})

function requestsIn(files: Record<string, string>): string[] | null {
  const folder = mkdtempSync(join(tmpdir(), 'house-'))
  folders.push(folder)
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  const compilerOptions = {
    strict: true,
    jsx: 'react-jsx',
    module: 'esnext',
    moduleResolution: 'bundler',
    noEmit: true,
  }
  const options = {
    ...compilerOptions,
    target: 'es2023',
    lib: ['es2023', 'dom'],
    types: [],
    allowImportingTsExtensions: true,
  }
  const webFiles = Object.fromEntries(
    Object.entries({ ...baseFiles, ...files }).map(([file, text]) => [`src/web/${file}`, text]),
  )
  const projectFiles = {
    ...webFiles,
    'package.json': JSON.stringify({ type: 'module', imports: { '#web/*': './src/web/*' } }),
    'tsconfig.json': JSON.stringify({ compilerOptions: options, include: ['src'] }),
  }
  for (const [file, text] of Object.entries(projectFiles)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return renderRequests(folder)
}
