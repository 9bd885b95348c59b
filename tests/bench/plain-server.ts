/**
 * The server that `npm run bench:floor` compares ours with: hand-written code for three requests on the plain tables. It checks a token (HS256), sets
 * role and claims, and sends four unprepared statements per request, the default of `pg`. Environment: DATABASE_URL, SECRET. Prints its port.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'

const secret = process.env.SECRET ?? ''
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10, application_name: 'plain' })

const listSql = `select c.*, case when o.id is not null then json_build_object('name', o.name) end as companies
  from plain.contacts c left join plain.companies o on o.brand_id = c.brand_id and o.id = c.company_id
  where c.brand_id = $1 order by c.created_at desc limit 50`
const moveSql =
  'update plain.deals set stage_id = $3, version = version + 1, updated_at = now() where brand_id = $1 and id = $2 and version >= 0 returning *'
const insertSql = `insert into plain.tasks (brand_id, title, due_at, priority, status, contact_id, deal_id, assignee_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`

const server = createServer((request, response) => {
  void respond(request, response)
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const claims = verify(request.headers.authorization ?? '')
    const url = new URL(request.url ?? '', 'http://plain')
    const filterValue = (name: string) => url.searchParams.get(name)?.replace('eq.', '')
    const client = await pool.connect()
    let body = ''
    let status = 200
    try {
      const requestBody = request.method === 'GET' ? {} : JSON.parse(await readBody(request))
      await client.query('begin')
      await client.query(
        "select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)",
        [claims],
      )
      if (request.method === 'GET') {
        body = JSON.stringify((await client.query(listSql, [filterValue('brand_id')])).rows)
      } else if (request.method === 'PATCH') {
        body = JSON.stringify(
          (await client.query(moveSql, [filterValue('brand_id'), filterValue('id'), requestBody.stage_id])).rows,
        )
      } else {
        const { brand_id, title, due_at, priority, status: taskStatus, contact_id, deal_id, assignee_id } = requestBody
        await client.query(insertSql, [brand_id, title, due_at, priority, taskStatus, contact_id, deal_id, assignee_id])
        status = 201
      }
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
    response
      .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body)
  } catch (error) {
    const errorText = String(error)
    response.writeHead(500, { 'content-length': Buffer.byteLength(errorText) }).end(errorText)
  }
}

/** Verifies a token and returns its claims as JSON text. Throws if the signature is wrong or the token has expired. */
function verify(header: string): string {
  const [encodedHeader = '', payload = '', signature = ''] = header.replace('Bearer ', '').split('.')
  const expectedBytes = createHmac('sha256', secret).update(`${encodedHeader}.${payload}`).digest()
  const signatureBytes = Buffer.from(signature, 'base64url')
  if (signatureBytes.length !== expectedBytes.length || !timingSafeEqual(signatureBytes, expectedBytes))
    throw new Error('wrong signature')
  const claims = Buffer.from(payload, 'base64url').toString()
  if (JSON.parse(claims).exp * 1000 < Date.now()) throw new Error('expired')
  return claims
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
