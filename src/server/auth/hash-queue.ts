import { type HttpError, refusal } from '#server/http/errors.ts'

/** The account and network that a hash is computed for. */
export interface HashRequester {
  /** The e-mail address, whether or not an account exists. */
  account: string
  /** The network of the caller's address, from `networkOf()`. */
  network: string
}

export interface HashQueue {
  /**
   * Runs `work` when it is its turn and no other work runs for the account. Throws 429 with Retry-After if the account
   * or the network has no free waiting place, 503 if all places are taken by others.
   */
  run<T>(asker: HashRequester, work: () => Promise<T>): Promise<T>
  /** Running and waiting hash computations. */
  readonly running: number
  readonly waiting: number
}

export interface HashQueueLimits {
  maxParallel: number
  /** Waiting places: in all, per network, and per account of a network. */
  maxWaiting: number
  maxWaitingOfNetwork: number
  maxWaitingOfAccount: number
}

interface Waiting {
  start: () => void
  refuse: (reason: HttpError) => void
}

/** Waiting jobs of one network, by account. Both maps are in order of turns: a served key moves to the end. */
type Accounts = Map<string, Waiting[]>

/**
 * All password hashes are computed through this queue. Each needs 34 MiB and a thread of the pool, so `maxParallel` limits
 * them. Networks take turns, and so do the accounts of a network: a hundred attempts of one network delay another
 * network by one. One at a time per account, because parallel guesses would all pass before the first is counted. When
 * all places are taken, the network with the most waiting jobs loses its newest one.
 */
export function createHashQueue({
  maxParallel,
  maxWaiting,
  maxWaitingOfNetwork,
  maxWaitingOfAccount,
}: HashQueueLimits): HashQueue {
  const busy = new Set<string>()
  const networks = new Map<string, Accounts>()
  let waiting = 0

  function startNext(): void {
    while (busy.size < maxParallel) {
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

  function enter({ account, network }: HashRequester, one: Waiting): void {
    const accounts: Accounts = networks.get(network) ?? new Map()
    const line = accounts.get(account) ?? []
    if (numberOf(accounts) >= maxWaitingOfNetwork || line.length >= maxWaitingOfAccount) throw tooMany()
    if (waiting >= maxWaiting) shedFor(accounts)
    line.push(one)
    accounts.set(account, line)
    networks.set(network, accounts)
    waiting++
  }

  /** Sheds a waiting job. Throws if no network has more waiting jobs than the newcomer. */
  function shedFor(newcomer: Accounts): void {
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

  async function run<T>(asker: HashRequester, work: () => Promise<T>): Promise<T> {
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
