import config from '../../playwright.config.ts'

const { args = [], ...otherOptions } = config.use?.launchOptions ?? {}

/**
 * Options of a browser that stays offline when a page is opened or reloaded after setOffline(true). With Chromium's feature
 * RenderDocument, navigator.onLine is wrongly true in such a page.
 */
export const offlineLaunch = { ...otherOptions, args: [...args, '--disable-features=RenderDocument'] }
