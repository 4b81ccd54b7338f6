#!/usr/bin/env python3
"""Simulates three days of an emergency ward and prints what a day costs; the parameters come in SALVO_PARAM_NAME.

    SALVO_PARAM_TRIAGE_NURSES=2 SALVO_PARAM_DOCTORS_DAY=5 … python3 ward.py

Patients come at random, most of them around noon and in the evening; they see a nurse, then a doctor, and some need a bed for
hours. Whoever finds no bed is sent to another hospital, which is dear. Different days differ: the noise of one run is large.
"""
import heapq
import math
import os
import random


def setting(name, kind):
    return kind(os.environ[f"SALVO_PARAM_{name.upper()}"])


def arrivals(days, luck):
    """Times in hours, by thinning: at most 14 an hour."""
    now, out = 0.0, []
    while now < 24 * days:
        now += luck.expovariate(14)
        hour = now % 24
        rate = 3 + 6 * math.exp(-(((hour - 12) / 3) ** 2)) + 5 * math.exp(-(((hour - 20) / 2.5) ** 2))
        if luck.random() < rate / 14:
            out.append(now)
    return out


class Staff:
    """People who serve one patient at a time; how many there are depends on the hour."""

    def __init__(self, count_at):
        self.count_at, self.busy = count_at, []

    def serve(self, now, hours):
        """When the service ends, for a patient who comes at `now`; those before are served first."""
        begin = now
        while True:
            while self.busy and self.busy[0] <= begin:
                heapq.heappop(self.busy)
            if len(self.busy) < self.count_at(begin % 24):
                heapq.heappush(self.busy, begin + hours)
                return begin, begin + hours
            begin = max(begin + 0.02, self.busy[0]) if len(self.busy) >= self.count_at(begin % 24) else begin + 0.02


def main():
    luck = random.Random(os.environ.get("SALVO_SEED"))
    nurses_count, day, night = setting("triage_nurses", int), setting("doctors_day", int), setting("doctors_night", int)
    night_begins, fast, beds = setting("night_begins", float), setting("fast_track", float), setting("beds", int)
    days = 3
    nurses = Staff(lambda hour: nurses_count)
    doctors = Staff(lambda hour: day if 7 <= hour < night_begins else night)
    waited, refused, taken = 0.0, 0, []
    for now in arrivals(days, luck):
        light = luck.random() < 0.5
        alone = light and luck.random() < fast / 0.6 * 0.9
        begin, seen = nurses.serve(now, luck.gammavariate(2, 0.04) + (0.25 if alone else 0))
        waited += begin - now
        if alone:
            waited += 3 * (luck.random() < fast**2)  # some of them come back, worse
            continue
        begin, treated = doctors.serve(seen, luck.gammavariate(2, 0.12 if light else 0.25))
        waited += (begin - seen) * (1 if light else 3)
        if not light and luck.random() < 0.4:
            while taken and taken[0] <= treated:
                heapq.heappop(taken)
            if len(taken) < beds:
                heapq.heappush(taken, treated + luck.gammavariate(3, 3))
            else:
                refused += 1
    hours = (night_begins - 7) * day + (24 - night_begins + 7) * night
    cost = (24 * nurses_count * 40 + hours * 110 + beds * 150 + (waited * 60 + refused * 900) / days) / 1000
    print(cost)


if __name__ == "__main__":
    main()
