import { type ComponentType, createElement, Suspense, useState } from 'react'
import { lazyPart } from './lazy-part.tsx'

interface OpenProps {
  open: boolean
}

/** A dialog whose code is loaded when it opens, so that no page includes it. It is mounted only while it is open. */
export function lazyDialog<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Dialog = lazyPart(load)
  return function LazyDialog(props: Props & OpenProps) {
    return <Suspense>{props.open && createElement<Props>(Dialog, props)}</Suspense>
  }
}

/** Like `lazyDialog`, for a dialog with a form: it stays mounted after the first opening and so keeps its input. */
export function lazyFormDialog<Props extends OpenProps>(load: () => Promise<ComponentType<Props>>) {
  const Dialog = lazyPart(load)
  return function LazyFormDialog(props: Props) {
    const [isNeeded, setNeeded] = useState(props.open)
    if (props.open && !isNeeded) setNeeded(true)
    return <Suspense>{isNeeded && createElement<Props>(Dialog, props)}</Suspense>
  }
}
