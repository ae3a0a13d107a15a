/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 rcc contributors */
/*
 * A host of the core without ns-3: two senders share one port of a switch under DCQCN. README.md says how to build it.
 * Time goes on in slots of one frame. In each slot a sender may send a frame, the port sends one, the receiver gets it,
 * and what it answered a round-trip time ago reaches the senders.
 */
#include "rcc.h"
#include "rcc_qp.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define LINE_RATE 40000000000u /* bit/s */
#define FRAME 1000u            /* bytes on the wire */
#define HEADERS 62u            /* bytes of FRAME around the payload */
#define SLOT 200               /* ns: FRAME at LINE_RATE */
#define SLOTS 500000u          /* 100 ms */
#define RTT 20u                /* slots */
#define QUEUE 4096u            /* frames */
#define MESSAGE 1000000u       /* bytes; the next one begins when one is acknowledged */

struct sender
{
    struct rcc_nic nic;
    struct rcc_port port; /* the NIC's port, with one queue pair */
    struct rcc_qp qp;
    rcc_time keys[1];
    uint32_t ids[1], at[1];
    uint8_t least[RCC_HEAP_PARENTS(1)];
    uint64_t memory[RCC_RP_SIZE_MAX / 8];
    uint64_t messages;
};

struct frame
{
    unsigned flow;
    struct rcc_data data;
};

/* The answers that the receiver sends back in one slot, by flow. */
struct answer
{
    bool cnp[2], ack[2], ce[2];
    uint64_t expected[2];
};

static const struct rcc_transport transport = {
    .mtu = FRAME - HEADERS, .ack_every = 64, .timeout = 67108864, .reliable = true};
static const struct rcc_bucket no_bucket;
static struct sender senders[2];
static struct rcc_receiver receivers[2];
static struct rcc_cp *cp;
static struct rcc_np *np;
static struct frame queue[QUEUE];
static struct answer answers[RTT];
static uint64_t joined, left, longest, cnps; /* frames that joined and left the queue */

/* The host's random numbers: a hash of stream and index. */
static uint32_t draw(uint64_t stream, uint64_t index)
{
    uint64_t z = (stream + 1) * 0x9e3779b97f4a7c15u + index * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 30) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 27) * 0x2545f4914f6cdd1du >> 32);
}

static void check(bool ok, const char *what)
{
    if (!ok)
        printf("failed: %s\n", what);
    if (!ok)
        exit(1);
}

/* A profile of DCQCN as in its paper, for one role. */
static const struct rcc_profile *configure(enum rcc_role role, uint64_t *memory)
{
    const struct rcc_algorithm *dcqcn = rcc_find("dcqcn");
    const struct rcc_env env = {.line_rate = LINE_RATE, .draw = draw};
    const struct rcc_profile *profile;
    struct rcc_error error;
    int64_t params[RCC_MAX_FIELDS];
    rcc_params_init(dcqcn, "paper", params);
    profile = rcc_configure(dcqcn, role, params, &env, memory, &error);
    check(profile != NULL, profile == NULL ? error.message : "");
    return profile;
}

/* The slots poll the port: what rcc_qp_post asks for besides, to wake it, needs no action. */
static void post(struct sender *s, rcc_time now)
{
    unsigned actions;
    check(rcc_qp_post(&s->nic, &s->qp, MESSAGE, now, &actions) == RCC_POST_OK, "the next message");
}

static void start(struct sender *s, unsigned i, const struct rcc_profile *profile)
{
    s->nic = (struct rcc_nic){.transport = &transport, .bucket = &no_bucket, .at = s->at};
    rcc_timers_init(&s->nic.timers);
    rcc_port_init(&s->port);
    rcc_heap_init(&s->port.classes[0].heap, s->keys, s->ids, s->least, 1);
    rcc_qp_start(&s->qp, &s->nic, rcc_rp_start(s->memory, profile, 0, i), 0, 0);
    rcc_qp_attach(&s->qp, &s->port, 0, HEADERS);
    post(s, 0);
}

/* Send a frame if the reaction point allows it before the end of the slot. */
static void send(struct sender *s, unsigned flow, rcc_time now)
{
    struct rcc_segment segment;
    rcc_time due;
    if (rcc_port_first(&s->port, 0, &due) == RCC_PORT_NONE || due >= now + SLOT)
        return;
    rcc_qp_next(&s->nic, &s->qp, due > now ? due : now, &segment); /* it sends: there are no pauses and no window */
    check(joined - left < QUEUE, "the queue is bounded");
    queue[joined++ % QUEUE] = (struct frame){
        flow, {.packet = segment.packet, .payload = segment.payload, .ack_request = segment.ack_request}};
    longest = joined - left > longest ? joined - left : longest;
}

/* The port sends a frame, which the congestion point may mark, and the receiver answers it. */
static void forward(rcc_time now, struct answer *answer)
{
    struct frame f = queue[left % QUEUE];
    struct rcc_cnp cnp;
    *answer = (struct answer){.cnp = {false, false}};
    if (joined != left)
    {
        left++;
        f.data.ce = rcc_cp_dequeued(cp, (joined - left) * FRAME) == RCC_CP_MARK;
        const unsigned actions = rcc_receiver_data(&receivers[f.flow], &f.data, true);
        answer->ack[f.flow] = (actions & RCC_RECEIVER_ACK) != 0;
        answer->ce[f.flow] = (actions & RCC_RECEIVER_ECHO_CE) != 0;
        answer->expected[f.flow] = receivers[f.flow].expected;
        if (f.data.ce)
            rcc_np_marked(np, now, f.flow);
    }
    for (; rcc_np_poll(np, now, &cnp); cnps++)
        answer->cnp[cnp.flow] = true;
}

/* An answer reaches a sender. */
static void take(struct sender *s, unsigned flow, rcc_time now, const struct answer *answer)
{
    const struct rcc_feedback cnp = {.kind = RCC_FEEDBACK_CNP, .rtt = -1};
    const struct rcc_qp_answer ack = {.packet = answer->expected[flow], .rtt = -1, .ce = answer->ce[flow]};
    struct rcc_message message;
    if (answer->cnp[flow])
        rcc_qp_signal(&s->nic, &s->qp, &cnp, now);
    if (answer->ack[flow])
        check((rcc_qp_ack(&s->nic, &s->qp, &ack, now) & RCC_QP_INVALID) == 0, "nothing is lost");
    for (; rcc_sender_complete(&s->qp.tx, &message); s->messages++)
        post(s, now);
}

int main(void)
{
    uint64_t profiles[3][RCC_PROFILE_SIZE_MAX / 8], cp_memory[RCC_CP_SIZE_MAX / 8], half[2] = {0, 0};
    const struct rcc_profile *rp = configure(RCC_RP, profiles[0]);
    void *np_memory = malloc(rcc_np_size(rcc_find("dcqcn"), 2));
    check(np_memory != NULL, "memory");
    cp = rcc_cp_start(cp_memory, configure(RCC_CP, profiles[1]), 0);
    np = rcc_np_start(np_memory, configure(RCC_NP, profiles[2]), 2);
    start(&senders[0], 0, rp);
    start(&senders[1], 1, rp);
    printf("time (ms)  rate 0 (Gb/s)  rate 1 (Gb/s)  queue (KB)\n");
    for (uint32_t slot = 0; slot < SLOTS; slot++)
    {
        const rcc_time now = (rcc_time)slot * SLOT;
        for (unsigned i = 0; i < 2; i++)
        {
            take(&senders[i], i, now, &answers[slot % RTT]);
            send(&senders[i], i, now);
        }
        forward(now, &answers[slot % RTT]);
        if (slot == SLOTS / 2)
            for (unsigned i = 0; i < 2; i++)
                half[i] = receivers[i].bytes;
        if (slot % (SLOTS / 20) == 0)
            printf("%9.1f  %13.2f  %13.2f  %10.1f\n", (double)now / 1e6,
                   (double)rcc_rp_rate(senders[0].qp.pacer.rp) / 1e9, (double)rcc_rp_rate(senders[1].qp.pacer.rp) / 1e9,
                   (double)((joined - left) * FRAME) / 1e3);
    }
    for (unsigned i = 0; i < 2; i++)
        half[i] = receivers[i].bytes - half[i];
    printf("sent %" PRIu64 ", received %" PRIu64 ", queued %" PRIu64 ", longest queue %" PRIu64 " frames, %" PRIu64
           " CNPs, messages %" PRIu64 " and %" PRIu64 "\n",
           senders[0].qp.tx.highest + senders[1].qp.tx.highest, receivers[0].expected + receivers[1].expected,
           joined - left, longest, cnps, senders[0].messages, senders[1].messages);
    const double share = (double)half[0] / (double)(half[0] + half[1]);
    const double used = (double)(half[0] + half[1]) / transport.mtu / (SLOTS / 2);
    printf("second half: sender 0 has %.1f %%, the port is %.1f %% busy\n", 100 * share, 100 * used);
    check(senders[0].qp.tx.highest + senders[1].qp.tx.highest ==
              receivers[0].expected + receivers[1].expected + (joined - left),
          "every packet is somewhere, once");
    check(longest * FRAME < 1000000, "the queue stays below 1 MB");
    check(share > 0.4 && share < 0.6, "either sender has about half");
    check(used > 0.9, "the port is busy");
    free(np_memory);
    return 0;
}
