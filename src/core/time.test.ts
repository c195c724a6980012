import { describe, expect, it } from "vitest";
import { formatInstant, nearestDates, parseDate, parseDateOrNow, parseInstant } from "./time.js";

const at = (instant: string): number => Date.parse(instant) * 1000;

describe("parseDate", () => {
  it.each([
    ["2024", "2024-01-01T00:00Z", "2025-01-01T00:00Z"],
    ["2024-02", "2024-02-01T00:00Z", "2024-03-01T00:00Z"],
    ["2024-12-31", "2024-12-31T00:00Z", "2025-01-01T00:00Z"],
    ["2024-05-17T10", "2024-05-17T10:00Z", "2024-05-17T11:00Z"],
    ["2024-05-17T10:30", "2024-05-17T10:30Z", "2024-05-17T10:31Z"],
    ["2024-05-17 10:30:05", "2024-05-17T10:30:05Z", "2024-05-17T10:30:06Z"],
    ["2024-05-17T10:30:05.5+02:00", "2024-05-17T08:30:05.5Z", "2024-05-17T08:30:05.6Z"],
    ["2024-05-17T10:30:05-0130", "2024-05-17T12:00:05Z", "2024-05-17T12:00:06Z"],
    ["0001", "0001-01-01T00:00Z", "0002-01-01T00:00Z"],
    ["9999-12-31", "9999-12-31T00:00Z", "+010000-01-01T00:00Z"],
    ["-0044-03-15", "-000044-03-15T00:00Z", "-000044-03-16T00:00Z"],
    ["-000044-03-15", "-000044-03-15T00:00Z", "-000044-03-16T00:00Z"],
    ["-0044-03", "-000044-03-01T00:00Z", "-000044-04-01T00:00Z"],
    ["-0001", "-000001-01-01T00:00Z", "0000-01-01T00:00Z"],
    ["-0044-03-15T12:00:00Z", "-000044-03-15T12:00:00Z", "-000044-03-15T12:00:01Z"],
    ["+12026-01-01", "+012026-01-01T00:00Z", "+012026-01-02T00:00Z"],
  ])("reads %s as its whole unit", (text, from, to) => {
    expect(parseDate(text)).toEqual({ from: at(from), to: at(to) });
  });

  it("reads the instants that the service writes, to the microsecond", () => {
    const micros = Date.UTC(2026, 10, 21, 10) * 1000 + 123_456;
    expect(parseDate(formatInstant(micros))).toEqual({ from: micros, to: micros + 1 });
    expect(parseInstant(formatInstant(micros))).toBe(micros);
  });

  it.each([
    "",
    "24",
    "-44",
    "-044-03-15",
    "12026-01-01",
    "-0044-02-30",
    "+1234567",
    "2023-02-29",
    "2024-13",
    "2024-1",
    "2024-05-17T25",
    "2024-05-17T10:61",
    "x2024",
    "2024-",
    "now",
  ])("does not take %j for a date", (text) => {
    expect(parseDate(text)).toBeUndefined();
  });
});

describe("parseDateOrNow", () => {
  const now = at("2024-03-31T12:00:00Z") + 7;

  it.each([
    ["now", "2024-03-31T12:00:00Z"],
    ["now-30d", "2024-03-01T12:00:00Z"],
    ["now-1M", "2024-02-29T12:00:00Z"],
    ["now+1y-2h", "2025-03-31T10:00:00Z"],
    ["now-1w+5m-30s", "2024-03-24T12:04:30Z"],
  ])("reads %s", (text, instant) => {
    expect(parseDateOrNow(text, now)).toEqual({ from: at(instant) + 7, to: at(instant) + 8 });
  });

  it.each(["now-", "now-1", "now-1x", "nowhere", "now-999999999y", "now 1d"])("does not take %j for a date", (text) => {
    expect(parseDateOrNow(text, now)).toBeUndefined();
  });

  it("reads plain dates too", () => {
    expect(parseDateOrNow("2024-05", now)).toEqual(parseDate("2024-05"));
  });
});

describe("dates that a text may mean", () => {
  it.each([
    ["2024-13", ["2024"]],
    ["2024-02-31", ["2024-02-29", "2024-02"]],
    ["2023-02-29", ["2023-02-28", "2023-02"]],
    ["2024-31-02", ["2024"]],
    ["2024-25-12", ["2024-12-25"]],
    ["2024-5", ["2024-05"]],
    ["2024/05/1", ["2024-05-01", "2024-01-05"]],
    ["20240517", ["2024-05-17"]],
    ["31.12.2024", ["2024-12-31"]],
    ["05/06/2024", ["2024-06-05", "2024-05-06"]],
    ["5/2024", ["2024-05"]],
    ["17 May 2024", ["2024-05-17"]],
    ["Sept. 2024", ["2024-09"]],
    ["May 17, 2024", ["2024-05-17"]],
    ["2024-05-17T25:00", ["2024-05-17"]],
    ["2020..2024", ["[2020 TO 2024]"]],
    ["2020..x", []],
    ["yesterday", []],
    ["12", []],
    ["x".repeat(100), []],
  ])("%s: %j", (text, dates) => {
    expect(nearestDates(text)).toEqual(dates);
    for (const each of dates) if (!each.startsWith("[")) expect(parseDate(each), each).toBeDefined();
  });
});
