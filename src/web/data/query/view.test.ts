import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { emitter } from '#web/lib/emitter.ts'
import { observable } from '#web/lib/observable.ts'
import { minuteSource, type Source, sourceOfObservable, switchedView, type View, view, sourceOfView } from './view.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T10:00:10Z') })
})

afterEach(() => {
  vi.useRealTimers()
})

/** A source that a test changes. */
function changingSource() {
  let changeId = 0
  const changes = emitter<boolean>()
  const source: Source = { changeId: () => changeId, subscribe: changes.subscribe }
  const change = (urgent: boolean) => {
    changeId += 1
    changes.emit(urgent)
  }
  return { source, change }
}

/** Subscribes to a view of this source and counts its notifications. */
function listenTo(source: Source) {
  const received = { times: 0 }
  const stop = view([source], () => 0).subscribe(() => (received.times += 1))
  return { received, stop }
}

describe('a view', () => {
  test('a view computes its value once after each change of its sources, and passes its previous value to `compute`', () => {
    const [firstSource, secondSource] = [changingSource(), changingSource()]
    const counter = view<number>([firstSource.source, secondSource.source], (previous = 0) => previous + 1)
    expect([counter.read(), counter.read()]).toEqual([1, 1])
    firstSource.change(true)
    expect([counter.read(), counter.read()]).toEqual([2, 2])
    secondSource.change(true)
    expect(counter.read()).toBe(3)
  })

  test('a view whose value is undefined is computed only once, too', () => {
    let computations = 0
    const counter = view([changingSource().source], () => void (computations += 1))
    counter.read()
    counter.read()
    expect(computations).toBe(1)
  })

  test('a view notifies of urgent changes at once', () => {
    const { source, change } = changingSource()
    const { received, stop } = listenTo(source)
    change(true)
    change(true)
    expect(received.times).toBe(2)
    stop()
    change(true)
    expect(received.times).toBe(2)
  })

  test('a view sends at most one notification in 80 ms for all changes that are not urgent', () => {
    const { source, change } = changingSource()
    const { received } = listenTo(source)
    change(false)
    vi.advanceTimersByTime(40)
    change(false)
    vi.advanceTimersByTime(39)
    expect(received.times).toBe(0)
    vi.advanceTimersByTime(1)
    expect(received.times).toBe(1)
    vi.advanceTimersByTime(1000)
    expect(received.times).toBe(1)
  })

  test('a view reports a change that is not urgent after 10 ms if it sent no notification for more than 400 ms, otherwise after 80 ms', () => {
    const { source, change } = changingSource()
    const { received } = listenTo(source)
    vi.advanceTimersByTime(401)
    change(false)
    vi.advanceTimersByTime(9)
    expect(received.times).toBe(0)
    vi.advanceTimersByTime(1)
    expect(received.times).toBe(1)
    vi.advanceTimersByTime(400)
    change(false)
    vi.advanceTimersByTime(79)
    expect(received.times).toBe(1)
    vi.advanceTimersByTime(1)
    expect(received.times).toBe(2)
  })

  test('a view notifies once if an urgent change follows before it has notified of the other changes', () => {
    const { source, change } = changingSource()
    const { received } = listenTo(source)
    change(false)
    change(true)
    vi.advanceTimersByTime(500)
    expect(received.times).toBe(1)
    change(false)
    vi.advanceTimersByTime(10)
    expect(received.times).toBe(2)
  })

  test('the 400 ms without notifications begin again after an urgent notification, too', () => {
    const { source, change } = changingSource()
    const { received } = listenTo(source)
    vi.advanceTimersByTime(401)
    change(true)
    change(false)
    vi.advanceTimersByTime(79)
    expect(received.times).toBe(1)
    vi.advanceTimersByTime(1)
    expect(received.times).toBe(2)
  })

  test('a view does not notify a listener that has unsubscribed', () => {
    const { source, change } = changingSource()
    const { received, stop } = listenTo(source)
    change(false)
    stop()
    vi.advanceTimersByTime(500)
    expect(received.times).toBe(0)
  })

  test('a view can be the source of another view, which changes with it', () => {
    const { source, change } = changingSource()
    const inner = view<number>([source], (previous = 0) => previous + 1)
    const outer = view([sourceOfView(inner)], () => inner.read() * 10)
    let notifiedTimes = 0
    outer.subscribe(() => (notifiedTimes += 1))
    expect(outer.read()).toBe(10)
    change(true)
    expect([outer.read(), notifiedTimes]).toEqual([20, 1])
  })
})

test('an observable is a source whose changes are urgent', () => {
  const value = observable('a')
  const { received } = listenTo(sourceOfObservable(value))
  value.set('b')
  expect([received.times, sourceOfObservable(value).changeId()]).toEqual([1, 'b'])
})

test('`minuteSource` changes every minute', () => {
  const before = minuteSource.changeId()
  const { received, stop } = listenTo(minuteSource)
  vi.advanceTimersByTime(49_999)
  expect(minuteSource.changeId()).toBe(before)
  vi.advanceTimersByTime(1)
  expect(minuteSource.changeId()).not.toBe(before)
  vi.advanceTimersByTime(9999)
  expect(received.times).toBe(0)
  vi.advanceTimersByTime(1)
  expect(received.times).toBe(1)
  stop()
  vi.advanceTimersByTime(120_000)
  expect(received.times).toBe(1)
  expect(vi.getTimerCount()).toBe(0)
})

describe('a view that is created again for each key', () => {
  function openSwitched() {
    const key = observable('a')
    const values = { a: observable(1), b: observable(2) }
    const createdKeys: string[] = []
    const switched: View<number> = switchedView(
      [sourceOfObservable(key)],
      () => key.get(),
      () => {
        const name = key.get() === 'a' ? 'a' : 'b'
        createdKeys.push(name)
        return view([sourceOfObservable(values[name])], () => values[name].get())
      },
    )
    return { key, values, createdKeys, switched }
  }

  test('a view that is created again for each key has the value of the view of the current key', () => {
    const { key, createdKeys, switched } = openSwitched()
    expect([switched.read(), switched.read()]).toEqual([1, 1])
    key.set('b')
    expect(switched.read()).toBe(2)
    expect(createdKeys).toEqual(['a', 'b'])
  })

  test('a view that is created again for each key notifies of another key and of changes in the current view, and not of changes in earlier views', () => {
    const { key, values, switched } = openSwitched()
    let notifiedTimes = 0
    const stop = switched.subscribe(() => (notifiedTimes += 1))
    values.a.set(10)
    expect(notifiedTimes).toBe(1)
    key.set('b')
    expect(notifiedTimes).toBe(2)
    values.a.set(11)
    expect(notifiedTimes).toBe(2)
    values.b.set(20)
    expect(notifiedTimes).toBe(3)
    stop()
    key.set('a')
    values.a.set(12)
    values.b.set(21)
    expect(notifiedTimes).toBe(3)
  })

  test('a view that is created again for each key does not notify if its sources change but the key does not', () => {
    const source = observable(0)
    const value = observable(1)
    const made = view([sourceOfObservable(value)], () => value.get())
    const switched = switchedView(
      [sourceOfObservable(source)],
      () => 'one',
      () => made,
    )
    let notifiedTimes = 0
    switched.subscribe(() => (notifiedTimes += 1))
    source.set(1)
    expect(notifiedTimes).toBe(0)
    value.set(2)
    expect(notifiedTimes).toBe(1)
  })
})
