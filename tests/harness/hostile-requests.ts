/** One hostile request of a signed-up user. */
export interface HostileRequest {
  kind: string
  method: string
  /** The path with the escaped query. */
  target: string
  headers?: Record<string, string>
  body?: string
  /** How the sender treats the response. */
  behaviour: 'reads' | 'reads slowly' | 'never reads' | 'disconnects'
}

/** The target of the requests: the user's own brand, full of large notes. */
export interface HostileTarget {
  brandId: string
}

/** Generates `count` random requests. The same seed generates the same requests. */
export function* hostileRequests(seed: number, count: number, { brandId }: HostileTarget): Generator<HostileRequest> {
  const random = seeded(seed)
  const randomBelow = (n: number) => Math.floor(random() * n)
  const pick = <T>(list: readonly T[]): T => list[randomBelow(list.length)] as T
  const brandFilter = `brand_id=eq.${brandId}`
  const aliases = (n: number, column: string) => repeated(n, (i) => `a${i}:${column}`)
  const limit = () => pick(['', '&limit=50', '&limit=1000', '&limit=100000', '&offset=500'])

  const kinds: Record<string, () => Pick<HostileRequest, 'method' | 'target'> & Partial<HostileRequest>> = {
    'wide select': () =>
      get(`companies?select=${aliases(pick([90, 100, 101, 400, 1000]), 'notes')}&${brandFilter}${limit()}`),
    'many stars': () => get(`companies?select=${repeated(1 + randomBelow(60), () => '*')}&${brandFilter}`),
    'deep embeds': () =>
      get(`companies?select=notes,${nestedEmbeds(1 + randomBelow(9))}&${brandFilter}&limit=${pick([1, 50, 1000])}`),
    'wide embeds': () =>
      get(`contacts?select=id,${repeated(1 + randomBelow(30), (i) => `e${i}:companies(*)`)}&${brandFilter}${limit()}`),
    'a full page': () => get(`companies?select=*&${brandFilter}&limit=1000`),
    'many filters': () => get(`contacts?select=id&${repeated(1 + randomBelow(500), () => 'id=not.is.null', '&')}`),
    'a deep tree': () => {
      const depth = 1 + randomBelow(200)
      return get(`contacts?or=${'(and'.repeat(depth)}(id.not.is.null)${')'.repeat(depth)}`)
    },
    'a long list': () => get(`contacts?select=id&id=in.(${repeated(1 + randomBelow(300), () => brandId)})`),
    'a long query': () => get(`contacts?select=id&first_name=eq.${'x'.repeat(pick([10_000, 20_000, 200_000]))}`),
    'a slow pattern': () => get(`contacts?select=id&${brandFilter}&first_name=imatch.(((x*)*)*)*y&limit=10`),
    'a count': () => ({
      ...get(`companies?select=*&${brandFilter}`),
      method: 'HEAD',
      headers: { prefer: 'count=exact' },
    }),
    'a large body': () =>
      post('companies', `[${repeated(pick([10, 60, 500]), () => companyRow(brandId, 'n'.repeat(10_000)))}]`),
    'many rows': () => post('companies', `[${repeated(pick([100, 4000, 12_000, 60_000]), () => '{}')}]`),
    'deep JSON': () => post('companies', '['.repeat(pick([100, 10_000, 300_000]))),
    'a write that returns all': () => ({
      ...post(`companies?${brandFilter}&select=${aliases(pick([1, 50, 100]), 'notes')}`, '{"phone":"1"}'),
      method: 'PATCH',
      headers: { prefer: 'return=representation' },
    }),
    'a write of everything': () => ({ ...post('companies', '{"phone":"1"}'), method: pick(['PATCH', 'DELETE']) }),
    pull: () => rpc('pull', { p_brand_id: brandId, p_limit: pick([1, 1000, 5000, 1e9]) }),
    search: () => rpc('search_companies', { p_brand_id: brandId, p_query: '', p_limit: pick([50, 1000, 1e9]) }),
    board: () => rpc('board', { p_brand_id: brandId, p_cards: 1_000_000 }),
    export: () => rpc('export_my_data', {}),
    'a compressed response': () => ({
      ...get(`companies?${brandFilter}&limit=1000`),
      headers: { 'accept-encoding': 'gzip' },
    }),
  }
  const names = Object.keys(kinds)
  for (let i = 0; i < count; i++) {
    const kind = pick(names)
    const request = (kinds[kind] as () => HostileRequest)()
    const roll = randomBelow(100)
    const behaviour = roll < 80 ? 'reads' : roll < 86 ? 'reads slowly' : roll < 92 ? 'never reads' : 'disconnects'
    yield { ...request, kind, behaviour, target: `/rest/v1/${request.target}` }
  }
}

function get(target: string) {
  return { method: 'GET', target }
}

function post(target: string, body: string) {
  return { method: 'POST', target, body }
}

function rpc(name: string, args: Record<string, unknown>) {
  return post(`rpc/${name}`, JSON.stringify(args))
}

function companyRow(brandId: string, notes: string): string {
  return JSON.stringify({ brand_id: brandId, name: 'Hostile', notes })
}

function repeated(n: number, item: (i: number) => string, joint = ','): string {
  return Array.from({ length: n }, (_, i) => item(i)).join(joint)
}

function nestedEmbeds(depth: number): string {
  return depth === 0 ? 'id' : `${depth % 2 ? 'contacts' : 'companies'}(*,${nestedEmbeds(depth - 1)})`
}

/** Returns a function that returns random numbers from 0 to below 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
