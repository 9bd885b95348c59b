import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

interface BoundaryProps {
  children: ReactNode
  /** With another value the children are tried again. */
  resetKey?: unknown
}

/** Catches errors of rendering and shows a sentence instead; the rest of the page keeps working. */
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
    return this.state.broken ? <Broken /> : this.props.children
  }
}

/** The sentence that replaces a broken part, with 'Reload'. */
export function Broken() {
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
