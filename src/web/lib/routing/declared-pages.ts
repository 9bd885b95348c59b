/**
 * The paths of the app's pages, with the type of each page's search parameters. src/web/routes.tsx adds them, so that a mistyped path does
 * not compile.
 */
export interface Pages {}

/** The state of a history entry, which is not in the URL and survives a reload. src/web/routes.tsx adds the fields. */
export interface PageState {}

/** The data that routes load for their pages. src/web/routes.tsx adds the fields. */
export interface PageData {}

export type PagePath = Extract<keyof Pages, string>
