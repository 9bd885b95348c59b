import { describe, expect, it } from 'vitest'
import { moduleCollections, moduleLets, moduleStores, subscriptionsAtImport } from './module-state.ts'
import { parseTexts } from './parse-texts.ts'

const observable = `export function observable(initial) {
  let value = initial
  const listeners = new Set()
  return { get: () => value, subscribe: (listener) => listeners.add(listener) }
}
`

describe('variables of modules', () => {
  it('the variables of a module are each `let` and `var` at its top, exported or not, without ambient declarations', () => {
    const text = `let one = 1
export let two, three
var four
const five = 5
declare global { var six: number }
declare let seven: number
function inner() { let eight = 8; return eight }
`
    expect(moduleLets(parseTexts({ 'src/web/lib/a.ts': text }))).toEqual([
      'src/web/lib/a.ts:1 one',
      'src/web/lib/a.ts:2 two',
      'src/web/lib/a.ts:2 three',
      'src/web/lib/a.ts:3 four',
    ])
  })
})

describe('stores of modules', () => {
  it('a constant counts as a store if its function returns `subscribe` or a hook over a store, also if the function is imported under another name', () => {
    const files = parseTexts({
      'src/web/lib/observable.ts': observable,
      'src/web/data/server/online-value.ts': `import { observable as live } from '#web/lib/observable.ts'
export function onlineValue(load) {
  const held = live(null)
  return { reload: load, use() { return held.get() } }
}
`,
      'src/web/data/deals.ts': `import { observable } from '../lib/observable.ts'
import { onlineValue } from '#web/data/server/online-value.ts'
export const open = observable(null)
export const log = onlineValue(() => 1)
const wrapped = observable(0) as unknown
const plain = Number('1')
function later() { const inner = observable(0); return inner }
`,
    })
    expect(moduleStores(files)).toEqual([
      'src/web/data/deals.ts:3 open',
      'src/web/data/deals.ts:4 log',
      'src/web/data/deals.ts:5 wrapped',
    ])
  })
})

describe('collections of modules', () => {
  it('the collections of modules count if their own file changes them, and not if they are only read', () => {
    const text = `const kept = new Map()
const seen = new WeakSet()
const table = new Set(['a', 'b'])
const none = new Map()
const state = { open: 0, inner: { list: [] } }
const stack = []
const sizes = { small: 1 }
class Cache { private readonly kept = new WeakMap() }
class Point { x = 0 }
const cache = new Cache()
const point = new Point()
export function change(key) {
  kept.set(key, none.get(key) ?? sizes.small)
  seen.add(key)
  state.inner.list = table.has(key) ? [point] : [cache]
  stack.push(key)
}
`
    expect(moduleCollections(parseTexts({ 'src/web/lib/a.ts': text }))).toEqual([
      'src/web/lib/a.ts:1 kept',
      'src/web/lib/a.ts:2 seen',
      'src/web/lib/a.ts:5 state',
      'src/web/lib/a.ts:6 stack',
      'src/web/lib/a.ts:10 cache',
    ])
  })
})

describe('subscriptions at import', () => {
  it('subscriptions at import are those that a module makes while it loads, also in a function that it calls; entry files do not count', () => {
    const files = parseTexts({
      'src/web/data/browser/tabs.ts': `const listeners = new Set()
export function onTabMessage(listener) { listeners.add(listener) }
export function follow() { globalThis.addEventListener('online', () => {}) }
export function later() { return () => globalThis.addEventListener('online', () => {}) }
`,
      'src/web/data/deals.ts': `import { follow, onTabMessage, later } from './browser/tabs.ts'
import { open } from './open.ts'
open.subscribe(() => {})
globalThis.addEventListener?.('offline', () => {})
onTabMessage(() => {})
follow()
later()
const channel = new BroadcastChannel('x')
channel.onmessage = () => {}
export function start() { open.subscribe(() => {}) }
`,
      'src/web/main.tsx': `import './data/deals.ts'
globalThis.addEventListener('online', () => {})
`,
    })
    expect(subscriptionsAtImport(files)).toEqual([3, 4, 5, 6, 9].map((line) => `src/web/data/deals.ts:${line}`))
  })
})
