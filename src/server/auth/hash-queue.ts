import { type HttpError, refusal } from '#server/http/errors.ts'

/** The account and the network on whose behalf a hash is computed. */
export interface HashRequester {
  /** The e-mail address. It may have no account. */
  account: string
  /** The network of the client's IP address, from `networkOf()`. */
  network: string
}

export interface HashQueue {
  /**
   * Runs `work` when its turn comes and no other work runs for the account, and returns its result. Throws with Retry-After:
   * - 429 if too many jobs of this network wait, or too many jobs of this account in this network
   * - 429 if this job waits and is removed from the full queue, to make room for a job of another network
   * - 503 if the queue is full and no network has at least two waiting jobs more than the network of this job
   */
  run<T>(requester: HashRequester, work: () => Promise<T>): Promise<T>
  /** Number of hashes that are computed now. */
  readonly running: number
  /** Number of jobs that wait. */
  readonly waiting: number
}

export interface HashQueueLimits {
  maxParallel: number
  /** Maximum number of waiting jobs: of all networks together, per network, and per account of a network. */
  maxWaiting: number
  maxWaitingOfNetwork: number
  maxWaitingOfAccount: number
}

interface WaitingJob {
  start: () => void
  refuse: (reason: HttpError) => void
}

/**
 * The waiting jobs of one network, by account. The accounts are in the order of their turns: when a job of an account starts,
 * the account moves to the end.
 */
type JobsByAccount = Map<string, WaitingJob[]>

/**
 * Creates the queue through which all password hashes are computed. Each hash needs 34 MiB and a thread, so `maxParallel`
 * limits them. Networks take turns, and so do the accounts of a network, so a hundred attempts of one network delay another
 * network by only one hash. Each account has one hash at a time, because parallel guesses would all run before the first is
 * counted. When the queue is full, a job is refused: either a job of the network with the most waiting jobs, or the new job
 * (`makeRoomFor`).
 */
export function createHashQueue({
  maxParallel,
  maxWaiting,
  maxWaitingOfNetwork,
  maxWaitingOfAccount,
}: HashQueueLimits): HashQueue {
  const busyAccounts = new Set<string>()
  const jobsByNetwork = new Map<string, JobsByAccount>()
  let waiting = 0

  function startNext(): void {
    while (busyAccounts.size < maxParallel) {
      const nextJob = takeNext()
      if (nextJob === null) return
      busyAccounts.add(nextJob.account)
      nextJob.start()
    }
  }

  function takeNext(): { account: string; start: () => void } | null {
    for (const [network, accounts] of jobsByNetwork) {
      for (const [account, jobs] of accounts) {
        if (busyAccounts.has(account)) continue
        const [firstJob] = jobs
        if (firstJob === undefined) continue
        jobs.shift()
        accounts.delete(account)
        if (jobs.length > 0) accounts.set(account, jobs)
        jobsByNetwork.delete(network)
        if (accounts.size > 0) jobsByNetwork.set(network, accounts)
        waiting--
        return { account, start: firstJob.start }
      }
    }
    return null
  }

  function enqueue({ account, network }: HashRequester, job: WaitingJob): void {
    const accounts: JobsByAccount = jobsByNetwork.get(network) ?? new Map()
    const jobs = accounts.get(account) ?? []
    if (countJobs(accounts) >= maxWaitingOfNetwork || jobs.length >= maxWaitingOfAccount) throw tooMany()
    if (waiting >= maxWaiting) makeRoomFor(accounts)
    jobs.push(job)
    accounts.set(account, jobs)
    jobsByNetwork.set(network, accounts)
    waiting++
  }

  /**
   * Makes room when the queue is full. Selects the network with the most waiting jobs, then the account of that network
   * with the most, and refuses that account's newest job. Throws unless the selected network has at least two waiting
   * jobs more than the network of the new job. `ownJobs`: the waiting jobs of the new job's network.
   */
  function makeRoomFor(ownJobs: JobsByAccount): void {
    const [largest] = [...jobsByNetwork].toSorted(([, one], [, other]) => countJobs(other) - countJobs(one))
    if (largest === undefined || countJobs(largest[1]) <= countJobs(ownJobs) + 1) {
      throw refusal('unavailable', { headers: { 'Retry-After': '5' } })
    }
    const [network, accounts] = largest
    const [longest] = [...accounts].toSorted(([, one], [, other]) => other.length - one.length)
    if (longest === undefined) return
    const [account, jobs] = longest
    jobs.pop()?.refuse(tooMany())
    if (jobs.length === 0) accounts.delete(account)
    if (accounts.size === 0) jobsByNetwork.delete(network)
    waiting--
  }

  async function run<T>(requester: HashRequester, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve, reject) => {
      enqueue(requester, { start: resolve, refuse: reject })
      startNext()
    })
    try {
      return await work()
    } finally {
      busyAccounts.delete(requester.account)
      startNext()
    }
  }

  return {
    run,
    get running() {
      return busyAccounts.size
    },
    get waiting() {
      return waiting
    },
  }
}

function countJobs(accounts: JobsByAccount): number {
  let count = 0
  for (const jobs of accounts.values()) count += jobs.length
  return count
}

function tooMany(): HttpError {
  return refusal('over_request_rate_limit', { headers: { 'Retry-After': '5' } })
}
