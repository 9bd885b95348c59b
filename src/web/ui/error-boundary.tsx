import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

interface BoundaryProps {
  children: ReactNode
  /** When this value changes, the children are rendered again after an error. */
  resetKey?: unknown
}

/** Shows a message in place of its children if they throw an error while rendering. The rest of the page keeps working. */
export class ErrorBoundary extends Component<BoundaryProps, { broken: boolean; resetKey?: unknown }> {
  override state = { broken: false, resetKey: this.props.resetKey }

  static getDerivedStateFromProps({ resetKey }: BoundaryProps, state: { resetKey?: unknown }) {
    return resetKey === state.resetKey ? null : { broken: false, resetKey }
  }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    console.error(error, info.componentStack)
  }

  override render() {
    return this.state.broken ? <BrokenPart /> : this.props.children
  }
}

/** The message in place of a part of the page that cannot be rendered. It has the button 'Reload'. */
export function BrokenPart() {
  return (
    <div role="alert">
      <EmptyState
        drawing="error"
        title="Something went wrong here"
        description="Your saved changes are kept. Reload the page to continue."
        actions={<Button onClick={() => location.reload()}>Reload</Button>}
      />
    </div>
  )
}
