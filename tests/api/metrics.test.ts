import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readConfig } from '#server/config.ts'
import { authRequest } from '../harness/auth-request.ts'
import { signUpPerson } from '../harness/client.ts'
import { openRawSocket } from '../harness/raw-socket.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

/** Returns the value of one series, by its name with labels. Undefined if it is missing. */
function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

const panelShape = z.object({ description: z.string(), targets: z.array(z.object({ expr: z.string() })) })

function getMetrics(server: TestServer, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; type: string; text: string }>((resolve, reject) => {
    const clientRequest = request({ port: server.port, path: '/metrics', method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, type: String(response.headers['content-type']), text }),
      )
    })
    clientRequest.on('error', reject)
    clientRequest.end()
  })
}

describe('GET /metrics', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.stop())

  it('GET /metrics counts requests by protocol and status, never by path', async () => {
    const { client } = await signUpPerson(server, 'ana@example.org')
    for (let i = 0; i < 3; i++) expect((await client.from('brands').select('id')).error).toBeNull()
    expect((await client.from('no_such_table').select()).error).not.toBeNull()
    const { status, type, text } = await getMetrics(server)
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    const count = 'banyan_http_request_duration_seconds_count'
    expect(valueOf(text, `${count}{protocol="rest",status="2xx"}`)).toBe(3)
    expect(valueOf(text, `${count}{protocol="rest",status="4xx"}`)).toBe(1)
    expect(valueOf(text, `${count}{protocol="auth",status="2xx"}`)).toBeGreaterThanOrEqual(1)
    expect(text).not.toContain('no_such_table')
  })

  it('GET /metrics reports the current pools, password hashes, live connections, responses and memory', async () => {
    const before = (await getMetrics(server)).text
    expect(valueOf(before, 'banyan_live_connections{signed_in="no"}')).toBe(0)
    const socket = await openRawSocket(server)
    const { text } = await getMetrics(server)
    socket.close()
    expect(valueOf(text, 'banyan_live_connections{signed_in="no"}')).toBe(1)
    expect(valueOf(text, 'banyan_database_connections_of_requests{state="idle"}')).toBeGreaterThan(0)
    expect(valueOf(text, 'banyan_database_connections_of_owner{state="waiting"}')).toBe(0)
    expect(valueOf(text, 'banyan_password_hashes{state="waiting"}')).toBe(0)
    expect(valueOf(text, 'banyan_answers_on_their_way_bytes')).toBe(0)
    expect(valueOf(text, 'banyan_database_overloaded')).toBe(0)
    expect(valueOf(text, 'banyan_requests_refused_after_waiting')).toBe(0)
    expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    expect(valueOf(text, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0)
    // Prometheus must be able to parse the text: each line is empty, a comment, or a series with a number.
    for (const line of text.trim().split('\n')) expect(line).toMatch(/^#|^$|^[a-z_0-9]+(\{[^}]*\})? \S+$/)
  })

  it('GET /metrics contains each figure that deploy/grafana-board.json draws', async () => {
    expect((await authRequest(server, '/health')).status).toBe(200)
    const { text } = await getMetrics(server)
    const board = readFileSync('deploy/grafana-board.json', 'utf8')
    const drawnNames = new Set(board.match(/\b(?:banyan|process|nodejs)_[a-z_0-9]+/g))
    expect(drawnNames.size).toBeGreaterThan(10)
    expect(Array.from(drawnNames).filter((name) => !text.includes(`\n${name}`))).toEqual([])
  })

  it('GET /metrics, the documentation and the board say that durations end when the response is handed to the connection', async () => {
    const { text } = await getMetrics(server)
    const untilHandedOver = 'until its response is handed to the connection'
    const withoutReading = 'without the time in which the client reads it'
    expect(text).toContain(
      `# HELP banyan_http_request_duration_seconds Time from the headers of a request ${untilHandedOver}, ${withoutReading}.`,
    )
    expect(readFileSync('docs/running-as-a-service.md', 'utf8')).toContain(`${untilHandedOver}, ${withoutReading}`)
    const { panels } = z
      .object({ panels: z.array(panelShape) })
      .parse(JSON.parse(readFileSync('deploy/grafana-board.json', 'utf8')))
    const durationPanels = panels.filter(({ targets }) =>
      targets.some(({ expr }) => expr.includes('_duration_seconds_bucket')),
    )
    expect(durationPanels).toHaveLength(2)
    for (const { description } of durationPanels) expect(description.toLowerCase()).toContain(untilHandedOver)
  })

  it('GET /metrics refuses a forwarded request if no proxy is trusted, because every caller would seem to be local', async () => {
    for (const header of ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'Via'])
      expect((await getMetrics(server, { [header]: '127.0.0.1' })).status).toBe(404)
  })

  it('/metrics refuses methods other than GET and HEAD', async () => {
    expect((await getMetrics(server, {}, 'HEAD')).status).toBe(200)
    expect((await getMetrics(server, {}, 'DELETE')).status).toBe(405)
  })
})

describe('METRICS', () => {
  it('the setting METRICS allows the listed network addresses, as a trusted proxy forwards them', async () => {
    const env = { METRICS: '10.1.0.0/16,2001:db8::7', TRUST_PROXY: '1' }
    const server = await startTestServer({ product: false, env })
    const statusFrom = async (address: string) => (await getMetrics(server, { 'X-Forwarded-For': address })).status
    expect([
      await statusFrom('10.1.2.3'),
      await statusFrom('2001:db8::7'),
      await statusFrom('10.2.0.1'),
      await statusFrom('127.0.0.1'),
    ]).toEqual([200, 200, 404, 404])
    await server.stop()
  })

  it('a trusted proxy that does not write the network address of the client reads no metrics', async () => {
    const server = await startTestServer({ product: false, env: { TRUST_PROXY: '1' } })
    for (const header of ['Forwarded', 'X-Real-IP', 'Via'])
      expect((await getMetrics(server, { [header]: '127.0.0.1' })).status).toBe(404)
    expect((await getMetrics(server, { Via: '1.1 proxy', 'X-Forwarded-For': '127.0.0.1' })).status).toBe(200)
    await server.stop()
  })

  it('METRICS with the value off refuses everybody, with the reason', async () => {
    const server = await startTestServer({ product: false, env: { METRICS: 'off' } })
    const { status, text } = await getMetrics(server)
    expect([status, JSON.parse(text).message]).toEqual([
      404,
      'METRICS is off: set it to loopback, or to the IP address of the program that reads the metrics',
    ])
    // The rest of the server is not affected.
    expect((await authRequest(server, '/health')).status).toBe(200)
    await server.stop()
  })

  it('the setting METRICS is refused at the start if it is neither off, loopback nor a list of network addresses', () => {
    expect(() => readConfig({ METRICS: 'everybody' })).toThrow('METRICS must be off, loopback, or IP addresses')
    expect(readConfig({ METRICS: '::1' }).metrics).toEqual(['::1'])
  })
})
