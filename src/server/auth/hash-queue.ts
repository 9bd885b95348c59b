import { type HttpError, refusal } from '#server/http/errors.ts'

/** For whom a hash is computed. */
export interface Asker {
  /** The e-mail address, whether or not anybody has it. */
  account: string
  /** What one caller has: `network()` of the address. */
  network: string
}

export interface HashQueue {
  /**
   * Runs `work` when its turn comes and nothing else runs for the account. Throws 429 with Retry-After where the account or
   * the network has used up its own waiting places, 503 where all are taken by others.
   */
  run<T>(asker: Asker, work: () => Promise<T>): Promise<T>
  /** How many hashes are computed, and how many wait for their turn. */
  readonly running: number
  readonly waiting: number
}

export interface HashPlaces {
  atOnce: number
  /** How many may wait: in all, from one network, and from one network for one account. */
  room: number
  roomOfNetwork: number
  roomOfAccount: number
}

interface Waiting {
  start: () => void
  refuse: (reason: HttpError) => void
}

/** Who waits, of one network, by account. Both maps are in the order of turns: who was served goes to the end. */
type Accounts = Map<string, Waiting[]>

/**
 * The only way to a password hash. Each takes 34 MiB and a thread of the pool for its time, so `atOnce` bounds them. Networks
 * take turns, and accounts within a network: a stranger's hundred attempts delay somebody elsewhere by one. One at a time per
 * account: parallel guesses would otherwise all pass before the first is counted. Where all places are taken, the network that
 * holds the most gives up its newest one.
 */
export function createHashQueue({ atOnce, room, roomOfNetwork, roomOfAccount }: HashPlaces): HashQueue {
  const busy = new Set<string>()
  const networks = new Map<string, Accounts>()
  let waiting = 0

  function startNext(): void {
    while (busy.size < atOnce) {
      const next = takeNext()
      if (next === null) return
      busy.add(next.account)
      next.start()
    }
  }

  function takeNext(): { account: string; start: () => void } | null {
    for (const [network, accounts] of networks) {
      for (const [account, line] of accounts) {
        if (busy.has(account)) continue
        const [first] = line
        if (first === undefined) continue
        line.shift()
        accounts.delete(account)
        if (line.length > 0) accounts.set(account, line)
        networks.delete(network)
        if (accounts.size > 0) networks.set(network, accounts)
        waiting--
        return { account, start: first.start }
      }
    }
    return null
  }

  function enter({ account, network }: Asker, one: Waiting): void {
    const accounts: Accounts = networks.get(network) ?? new Map()
    const line = accounts.get(account) ?? []
    if (numberOf(accounts) >= roomOfNetwork || line.length >= roomOfAccount) throw tooMany()
    if (waiting >= room) makeRoomFor(accounts)
    line.push(one)
    accounts.set(account, line)
    networks.set(network, accounts)
    waiting++
  }

  /** Throws where nobody waits more often than whoever comes. */
  function makeRoomFor(newcomer: Accounts): void {
    const [largest] = [...networks].toSorted(([, one], [, other]) => numberOf(other) - numberOf(one))
    if (largest === undefined || numberOf(largest[1]) <= numberOf(newcomer) + 1) {
      throw refusal('unavailable', { headers: { 'Retry-After': '5' } })
    }
    const [network, accounts] = largest
    const [longest] = [...accounts].toSorted(([, one], [, other]) => other.length - one.length)
    if (longest === undefined) return
    const [account, line] = longest
    line.pop()?.refuse(tooMany())
    if (line.length === 0) accounts.delete(account)
    if (accounts.size === 0) networks.delete(network)
    waiting--
  }

  async function run<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve, reject) => {
      enter(asker, { start: resolve, refuse: reject })
      startNext()
    })
    try {
      return await work()
    } finally {
      busy.delete(asker.account)
      startNext()
    }
  }

  return {
    run,
    get running() {
      return busy.size
    },
    get waiting() {
      return waiting
    },
  }
}

function numberOf(accounts: Accounts): number {
  let number = 0
  for (const line of accounts.values()) number += line.length
  return number
}

function tooMany(): HttpError {
  return refusal('over_request_rate_limit', { headers: { 'Retry-After': '5' } })
}
