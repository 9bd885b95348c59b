import { type ComponentType, createElement, Suspense, useEffect, useState } from 'react'
import { lazyComponent } from './lazy-component.tsx'
import { notOnDevice } from './not-on-device.ts'
import { toast } from './toast.ts'

interface OpenProps {
  open: boolean
}

interface FormProps extends OpenProps {
  onClose?: () => void
}

/**
 * A dialog whose code is loaded when it opens, so that no page includes it. It is mounted only while it is open. If the code cannot be loaded, a
 * toast says so.
 */
export function lazyDialog<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Dialog = lazyComponent(load, () => <MissingDialog />)
  return function LazyDialog(props: Props & OpenProps) {
    return <Suspense>{props.open && createElement<Props>(Dialog, props)}</Suspense>
  }
}

/** Like `lazyDialog`, for a dialog with a form: it stays mounted after the first opening and so keeps its input. */
export function lazyFormDialog<Props extends FormProps>(load: () => Promise<ComponentType<Props>>) {
  const Dialog = lazyComponent(load, ({ open, onClose }) => open && <MissingDialog onClose={onClose} />)
  return function LazyFormDialog(props: Props) {
    const [isNeeded, setNeeded] = useState(props.open)
    if (props.open && !isNeeded) setNeeded(true)
    return <Suspense>{isNeeded && createElement<Props>(Dialog, props)}</Suspense>
  }
}

/** Shows the toast. Closes a form dialog, so that the next press on its button shows the toast again. Its code is loaded in the background. */
function MissingDialog({ onClose }: { onClose?: (() => void) | undefined }) {
  useEffect(() => {
    toast.error(notOnDevice.title, notOnDevice)
    onClose?.()
  }, [onClose])
  return null
}
