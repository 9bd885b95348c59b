import { expect, test } from 'vitest'
import { answerOfReply } from './answer.ts'

const answerKind = (status: number, code?: string) =>
  answerOfReply({ status, data: null, error: { message: 'no', code } }, 'deals').kind

test('an error of the server is a refusal, with its message and code', () => {
  const error = { message: 'new row violates row-level security policy', code: '42501' }
  expect(answerOfReply({ status: 403, data: null, error }, 'deals')).toEqual({
    kind: 'refused',
    message: error.message,
    code: '42501',
  })
  expect([400, 403, 404, 406, 409, 413, 422].map((status) => answerKind(status, 'X'))).toEqual(Array(7).fill('refused'))
  expect(answerKind(500, 'XX000')).toBe('refused')
  // A proxy sent this response, so it has no error body of the database.
  expect(answerKind(413)).toBe('refused')
})

test('a refusal without a message gets a default message, and its code is null', () => {
  expect(answerOfReply({ status: 400, data: null, error: { message: '', code: '' } }, 'deals')).toEqual({
    kind: 'refused',
    message: 'The server refused this change.',
    code: null,
  })
  expect(answerOfReply({ status: 401, data: null, error: { message: '', code: '' } }, 'deals')).toEqual({
    kind: 'session',
    code: null,
  })
})

test('an operation waits if there is no answer, or if the status of the answer is temporary', () => {
  expect([0, 408, 429, 502, 503, 504, 520, 522, 529].map((status) => answerKind(status))).toEqual(Array(9).fill('wait'))
  expect(answerKind(503, 'PGRST002')).toBe('wait')
})

test('an operation waits after a status 500 without an error body, because that response does not come from the database', () => {
  expect(answerKind(500)).toBe('wait')
})

test('an operation waits for a session after a status 401', () => {
  expect(answerOfReply({ status: 401, data: null, error: { message: 'ended', code: 'PT401' } }, 'deals')).toEqual({
    kind: 'session',
    code: 'PT401',
  })
})

test('the error PT409 means that the operation was applied before, and contains the row’s id if the row is in the same table', () => {
  const details = JSON.stringify({ table: 'contacts', id: 'k' })
  const error = { message: 'already applied', code: 'PT409', details }
  expect(answerOfReply({ status: 409, data: null, error }, 'contacts')).toEqual({ kind: 'already-applied', rowId: 'k' })
  const alreadyApplied = { kind: 'already-applied', rowId: null }
  expect(answerOfReply({ status: 409, data: null, error }, 'companies')).toEqual(alreadyApplied)
  for (const unreadable of ['not json', 'null', '', null, undefined])
    expect(answerOfReply({ status: 409, data: null, error: { ...error, details: unreadable } }, 'contacts')).toEqual(
      alreadyApplied,
    )
})

test('the answer to an applied operation has the rows of the reply', () => {
  expect(answerOfReply({ status: 200, data: [], error: null }, 'deals')).toEqual({
    kind: 'applied',
    rows: [],
    value: [],
  })
  expect(answerOfReply({ status: 200, data: 'an-id', error: null }, 'deals')).toEqual({
    kind: 'applied',
    rows: null,
    value: 'an-id',
  })
})
