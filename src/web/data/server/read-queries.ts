import type { Device } from '#web/data/browser/device.ts'
import { rpc } from './rpc.ts'
import type { AnyRow, TableName } from './tables.ts'

/**
 * A question about a query: which of its rows, counts and sums the server should return. It has the form that the RPC `read_queries` takes.
 */
export interface QueryRequest {
  table: TableName
  where?: object
  search?: string
  order?: string
  /** The `end` of an earlier page of the query. The answer begins after it. */
  after?: readonly unknown[] | null
  /** Number of rows to skip after `after`, or from the beginning. */
  skip?: number
  limit?: number
  /** False to get no rows, only the total or the sums. */
  rows?: boolean
  /** True to get the total. */
  count?: boolean
  /** The server stops counting the rows at this number. */
  most?: number
  /** True to get the sums of the amounts by currency. */
  sums?: boolean
}

/** The number and the sum of the amounts in one currency. */
export interface CurrencySum {
  currency: string
  count: number
  amount: number
}

/** The answer to one question. It has only the parts for which the question asks. */
export interface QueryAnswer {
  rows?: AnyRow[]
  /** The sort values of the last row: pass them as `after` to get the next page. Null if there are no rows. */
  end?: readonly unknown[] | null
  total?: number
  /** True if the server stopped counting at `total` rows and has more. */
  more?: boolean
  sums?: CurrencySum[]
}

export interface QueryAnswers {
  /** The answers, in the order of the questions. */
  answers: QueryAnswer[]
  /** Rows of other tables whose ids are in the rows of the answers. */
  named: Partial<Record<TableName, AnyRow[]>>
}

/** Sends questions about queries of a brand to the server in one request. The server refuses more than 50 questions. Throws RpcError. */
export function readQueries(
  device: Device,
  { userId, brandId }: { userId: string; brandId: string },
  questions: readonly QueryRequest[],
  signal: AbortSignal,
): Promise<QueryAnswers> {
  return rpc<QueryAnswers>(device, userId, 'read_queries', { p_brand_id: brandId, p_queries: questions }, signal)
}
