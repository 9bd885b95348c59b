import { type ComponentType, createElement, Suspense, useState } from 'react'
import { lazyPart } from './lazy-part.tsx'

interface Openable {
  open: boolean
}

/** A dialog whose code is fetched when it opens, so that no page carries it. It is mounted while it is open. */
export function lazyDialog<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Dialog = lazyPart(load)
  return function LazyDialog(props: Props & Openable) {
    return <Suspense>{props.open && createElement<Props>(Dialog, props)}</Suspense>
  }
}

/** The same for a dialog with a form: it stays mounted after the first opening and so keeps what was typed. */
export function lazyFormDialog<Props extends Openable>(load: () => Promise<ComponentType<Props>>) {
  const Dialog = lazyPart(load)
  return function LazyFormDialog(props: Props) {
    const [isNeeded, setNeeded] = useState(props.open)
    if (props.open && !isNeeded) setNeeded(true)
    return <Suspense>{isNeeded && createElement<Props>(Dialog, props)}</Suspense>
  }
}
