import type { Device } from '#web/data/browser/device.ts'
import { rpc } from './rpc.ts'
import type { AnyRow, TableName } from './tables.ts'

/** A question about a query, as `read_queries` takes it. */
export interface Question {
  table: TableName
  where?: object
  search?: string
  order?: string
  /** The `end` of another page of the query: the answer begins after it. */
  after?: readonly unknown[] | null
  /** Rows to leave out after that. */
  skip?: number
  limit?: number
  /** False: only total and sums. */
  rows?: boolean
  count?: boolean
  /** Count no further than this. */
  most?: number
  /** Sums of the amounts by currency. */
  sums?: boolean
}

export interface CurrencySum {
  currency: string
  count: number
  amount: number
}

export interface QueryAnswer {
  rows?: AnyRow[]
  /** Key values of the last row; null where there is none. */
  end?: readonly unknown[] | null
  total?: number
  /** There are more than `total`: no more were counted. */
  more?: boolean
  sums?: CurrencySum[]
}

export interface QueryAnswers {
  /** In the order of the questions. */
  answers: QueryAnswer[]
  /** Rows of other tables whose ids are in the rows of the answers. */
  named: Partial<Record<TableName, AnyRow[]>>
}

/** Asks the server about queries of a brand, at most 50 at a time. Throws RpcError. */
export function readQueries(
  device: Device,
  { userId, brandId }: { userId: string; brandId: string },
  questions: readonly Question[],
  signal: AbortSignal,
): Promise<QueryAnswers> {
  return rpc<QueryAnswers>(device, userId, 'read_queries', { p_brand_id: brandId, p_queries: questions }, signal)
}
