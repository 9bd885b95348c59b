import { describe, expect, it } from 'vitest'
import { type DatabaseError, isDatabaseError, refusalOf } from './database-errors.ts'

function databaseError(code: string, message = 'what PostgreSQL says'): DatabaseError {
  return Object.assign(new Error(message), { code, detail: 'the detail', hint: 'the hint', routine: 'exec_stmt_raise' })
}

describe('errors of the database', () => {
  it.each([
    ['23505', 409],
    ['23503', 409],
    ['23502', 400],
    ['23514', 400],
    ['22P02', 400],
    ['22008', 400],
    ['21000', 400],
    ['42703', 400],
    ['42P01', 404],
    ['42883', 404],
    ['25006', 405],
    ['54001', 413],
    ['P0001', 400],
    ['BY001', 400],
    ['PT409', 409],
    ['PT401', 401],
  ])('an error with SQLSTATE %s becomes status %i and keeps PostgreSQL’s message', (code, status) => {
    expect(refusalOf(databaseError(code), false)).toMatchObject({
      status,
      code,
      message: 'what PostgreSQL says',
      details: 'the detail',
      hint: 'the hint',
    })
  })

  it('a missing right becomes status 401 for anonymous callers and 403 for signed-in ones', () => {
    expect(refusalOf(databaseError('42501'), true).status).toBe(401)
    expect(refusalOf(databaseError('42501'), false).status).toBe(403)
  })

  it.each([
    ['40P01', 503],
    ['40001', 503],
    ['55P03', 503],
    ['57P01', 503],
    ['53300', 503],
    ['58P01', 503],
    ['58030', 503],
    ['57014', 504],
    ['XX000', 500],
    ['42P17', 500],
  ])('an error with SQLSTATE %s becomes status %i and reveals nothing internal', (code, status) => {
    const refused = refusalOf(databaseError(code), false)
    expect(refused).toMatchObject({ status, details: null, hint: null })
    expect(refused.message).not.toContain('PostgreSQL says')
    if (status === 503) expect(refused.headers).toEqual({ 'Retry-After': '1' })
  })

  it('the error of a statement that checks for exactly one row becomes PostgREST’s refusal PGRST116', () => {
    const message = 'invalid input syntax for type integer: "pgrst116 rows: 3"'
    expect(refusalOf(databaseError('22P02', message), false)).toMatchObject({
      status: 406,
      code: 'PGRST116',
      details: 'The result contains 3 rows',
    })
  })

  it.each([
    ['23502', 'Fehlgeschlagene Zeile enthält (1, secret, null).'],
    ['23514', 'Failing row contains (1, secret, null).'],
  ])('the details of SQLSTATE %s, which contain the row, are left out in every language', (code, detail) => {
    const error = Object.assign(databaseError(code), { detail, routine: 'ExecConstraints' })
    expect(refusalOf(error, false)).toMatchObject({ status: 400, details: null })
  })

  it('the check for exactly one row is recognised if PostgreSQL reports errors in German', () => {
    const message = 'ungültige Eingabesyntax für Typ integer: »pgrst116 rows: 3«'
    expect(refusalOf(databaseError('22P02', message), false)).toMatchObject({ status: 406, code: 'PGRST116' })
  })

  it('a lost connection does not count as an error of PostgreSQL', () => {
    expect(isDatabaseError(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))).toBe(false)
    expect(isDatabaseError(databaseError('23505'))).toBe(true)
  })
})
